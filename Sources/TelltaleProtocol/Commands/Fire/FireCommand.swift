#if TELLTALE_COMPILED
/// `fire`: brings a timer or a delayed block forward.
package enum FireCommand: ConfirmedCommand {
    package typealias Parameters = ForcedParameters
    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "fire [--yes] TIMER", "last resort: bring a timer or a delayed block forward",
        detail: """
            TIMER is an address, as `timers` shows it, or the path or handle of one. Its handler runs on its
            queue as soon as that is free, before its time: what it relies on may not have happened. A delayed
            block doesn't run again; a timer that repeats goes on from now, without leeway. It can't be
            undone. Confirmed once a session, or by --yes.
            """,
        example: "fire --yes 0x7f3a10", effect: .changes, completes: .path)
}
#endif
