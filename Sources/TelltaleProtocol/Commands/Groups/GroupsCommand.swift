#if TELLTALE_COMPILED
/// `groups`: what was not left yet, and who waits.
package enum GroupsCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = GroupsAnswer

    package static let description = CommandDescription(
        "groups [--all]", "dispatch groups: what was not left yet, and who waits",
        detail: """
            Found in memory, so none has to be registered.
            --all    also idle ones
            """)
}
#endif
