#if TELLTALE_COMPILED
/// `timers`: dispatch timers and `asyncAfter`, the next to fire first.
package enum TimersCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = TimersAnswer

    package static let description = CommandDescription(
        "timers [--all]", "dispatch timers and `asyncAfter`: next fire, handler",
        detail: """
            Found in memory, so none has to be registered.
            --all    also cancelled ones
            """)
}
#endif
