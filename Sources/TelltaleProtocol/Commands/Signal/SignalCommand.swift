#if TELLTALE_COMPILED
/// `signal`: releases one thread that waits for a semaphore.
package enum SignalCommand: ConfirmedCommand {
    package typealias Parameters = ForcedParameters
    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "signal [--yes] SEMAPHORE", "last resort: signal a semaphore to release one waiting thread",
        detail: """
            SEMAPHORE is an address, as `semaphores` shows it, or the path or handle of one. The thread goes
            on as if what it waits for had been done, and the service's own signal, if it still comes, lets
            one in too many. It can't be undone. Confirmed once a session, or by --yes.
            """,
        example: "signal --yes 0x7f3a10", effect: .changes, completes: .path)
}
#endif
