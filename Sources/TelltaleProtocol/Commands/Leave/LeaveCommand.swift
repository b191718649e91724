#if TELLTALE_COMPILED
/// `leave`: leaves a group once that was entered.
package enum LeaveCommand: ConfirmedCommand {
    package typealias Parameters = ForcedParameters
    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "leave [--yes] GROUP", "last resort: leave a group on behalf of code that failed to",
        detail: """
            GROUP is an address, as `groups` shows it, or the path or handle of one. What waits for the group
            goes on as if one more had been done, and where the service's own leave() still comes, the last
            of them finds the group empty: that ends the service. It can't be undone. Confirmed once a
            session, or by --yes.
            """,
        example: "leave --yes 0x7f3a10", effect: .changes, completes: .path)
}
#endif
