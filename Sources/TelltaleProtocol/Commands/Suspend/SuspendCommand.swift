#if TELLTALE_COMPILED
/// `suspend`: holds a queue for as long as the client is there.
package enum SuspendCommand: Command {
    package typealias Parameters = HeldQueueParameters
    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "suspend QUEUE", "suspend a queue: it starts no further items",
        detail: """
            As dispatch does; what runs on it ends first. `resume` lets it go on, and so does the
            agent when this connection ends.
            """,
        example: "suspend com.telltale.downloads", effect: .changes, completes: .name(.queue))
}
#endif
