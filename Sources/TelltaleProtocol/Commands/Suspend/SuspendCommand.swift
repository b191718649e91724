#if TELLTALE_COMPILED
/// `suspend`: holds a queue for as long as the client is there.
package enum SuspendCommand: Command {
    package typealias Parameters = HeldQueueParameters
    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "suspend QUEUE", "suspend a queue: it starts no further items",
        detail: """
            As dispatch does; what runs on it ends first. It continues with `resume`, and when this
            connection ends; so it is for a session or a script, and refused as a single command.
            """,
        example: "suspend com.telltale.downloads", effect: .changes, endsWithConnection: true,
        completes: .name(.queue))
}
#endif
