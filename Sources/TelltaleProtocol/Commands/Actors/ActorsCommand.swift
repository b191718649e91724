#if TELLTALE_COMPILED
/// `actors`: busy or idle, and the jobs that wait.
package enum ActorsCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = ActorsAnswer

    package static let description = CommandDescription(
        "actors [--all]", "actors: busy or idle, and the jobs that wait",
        detail: """
            Found in memory, so none has to be registered.
            --all    also idle ones
            """)
}
#endif
