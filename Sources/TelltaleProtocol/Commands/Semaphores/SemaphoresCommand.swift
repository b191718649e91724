#if TELLTALE_COMPILED
/// `semaphores`: value, and who waits.
package enum SemaphoresCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = SemaphoresAnswer

    package static let description = CommandDescription(
        "semaphores [--all]", "dispatch semaphores: value, and who waits",
        detail: """
            Found in memory, so none has to be registered.
            --all    also those without a waiter
            """)
}
#endif
