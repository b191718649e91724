#if TELLTALE_COMPILED
/// `suspend`: holds a queue for as long as the client is there, or for a time.
package enum SuspendCommand: Command {
    /// The shortest and the longest time of `--for`, in seconds.
    package static let times = 1.0...600.0

    package struct Parameters: JSONCodable {
        /// The queue's label, the end of it where that is enough, or its address.
        package var queue: String
        /// The time after which the agent resumes the queue, in seconds; `nil` for as long as the
        /// connection lasts.
        package var forSeconds: Double?
    }

    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "suspend QUEUE [--for TIME]", "suspend a queue: it starts no further items",
        detail: """
            As dispatch does; what runs on it ends first. It continues with `resume`, and when this
            connection ends; so it is for a session or a script, and refused as a single command.
            --for TIME      the agent resumes it after this time, 1s to 10m, also when the client has gone
            """,
        example: "suspend com.telltale.downloads --for 30s", effect: .changes,
        endsWithConnection: true, completes: .name(.queue))

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let seconds = try arguments.time("--for", within: times)
        return Parameters(queue: try arguments.queue(), forSeconds: seconds)
    }

    package static func endsWithConnection(_ parameters: Parameters) -> Bool {
        parameters.forSeconds == nil
    }

    package static func lineWithoutConnection(_ parameters: Parameters) -> String? {
        "\(description.name) \(parameters.queue) --for 30s"
    }
}
#endif
