#if TELLTALE_COMPILED
/// `resume`: resumes a queue that `suspend` holds.
package enum ResumeCommand: Command {
    package typealias Parameters = HeldQueueParameters
    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "resume QUEUE", "resume a queue suspended with `suspend`",
        detail: """
            Only as often as it was suspended from here: the service's own holds stay.
            """,
        example: "resume com.telltale.downloads", effect: .changes, completes: .name(.queue))
}
#endif
