#if TELLTALE_COMPILED
/// `jobs`: running calls, and results of abandoned calls.
package enum JobsCommand: Command {
    package struct Parameters: JSONCodable {
        /// The one that is wanted, with its result as a tree; all where nil.
        package var number: Int?
    }

    package typealias Answer = JobsAnswer

    package static let description = CommandDescription(
        "jobs [N]", "calls still running, and abandoned calls that have finished",
        detail: """
            A call that was given up, by its deadline or by Ctrl-C, goes on here: the task of an async
            one was cancelled, and nothing can end another. What it gives is kept for ten minutes
            after it ended, of the last 32; with N it is shown as a tree. `cancel job N` cancels the
            task of one that somebody still waits for.
            """)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        guard let word = arguments.optionalWord() else { return Parameters() }
        guard let number = Int(word), number > 0 else {
            throw usage("'\(word)' is not the number of a job")
        }
        return Parameters(number: number)
    }
}

/// The answer to `jobs`.
public struct JobsAnswer: CommandAnswer {
    package static let kind = "jobs"

    /// A running call, or one that ended after it was abandoned.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its number, which `cancel job` takes.
        public var number: Int
        /// The command that began it: `call`.
        public var command: String
        /// The called action or method: `photos.download`.
        public var target: String
        /// The owner, which is also the executor: `queue com.telltale.photos`.
        public var owner: String
        /// The client that asked for it.
        public var by: Peer
        /// The time it was asked for, UTC with milliseconds.
        public var since: String
        /// The running time, in seconds.
        public var seconds: Double
        /// `waits` for its owner, `runs`, or `ended`.
        public var state: String
        /// The reason that the call was abandoned: `its deadline passed`; `nil` if a client still
        /// waits for it.
        public var givenUp: String?
        /// Its task was asked to end.
        public var isCancelled: Bool?
        /// The outcome of an ended call: `done`, `threw Jam`.
        public var result: String?
        /// The time since it ended, in seconds.
        public var endedSecondsAgo: Double?
        /// The number by which `changes` lists it.
        public var change: Int?
        /// The returned value, if a call was asked for by its number.
        public var value: ValueNode?

        package init(
            number: Int, command: String, target: String, owner: String, by: Peer, since: String,
            seconds: Double, state: String
        ) {
            self.number = number
            self.command = command
            self.target = target
            self.owner = owner
            self.by = by
            self.since = since
            self.seconds = seconds
            self.state = state
        }

        /// `runs, given up: its deadline passed, cancelled`.
        fileprivate var stateText: String {
            var parts = [state]
            if let givenUp, state != JobsAnswer.ended { parts.append("given up: \(givenUp)") }
            if isCancelled == true, state != JobsAnswer.ended { parts.append("cancelled") }
            if let endedSecondsAgo {
                parts[0] += " \(Quantity.time(seconds: endedSecondsAgo, .field)) ago"
            }
            return parts.joined(separator: ", ")
        }
    }

    package static let waits = "waits"
    package static let runs = "runs"
    package static let ended = "ended"

    /// The running calls, the oldest first, and then those that have ended.
    public var jobs: [Entry]
    /// The number of ended calls that are no longer kept.
    public var dropped: Int

    package init(jobs: [Entry], dropped: Int) {
        self.jobs = jobs
        self.dropped = dropped
    }

    package func lines(_ style: TextStyle) -> [String] {
        let cut =
            dropped > 0 ? ["… \(Quantity.count(dropped)) that ended later, no longer kept"] : []
        guard !jobs.isEmpty else { return ["no running calls"] + cut }
        var table = TextTable([
            .init("job", isNumber: true), .init("command"), .init("target", goesBelow: true),
            .init("owner", goesBelow: true), .init("by", goesBelow: true),
            .init("since", goesBelow: true), .init("for", isNumber: true), .init("state"),
            .init("result", goesBelow: true),
        ])
        for job in jobs {
            table.add([
                "\(job.number)", job.command, job.target, job.owner, job.by.text, job.since,
                Quantity.time(seconds: job.seconds, .field), job.stateText, job.result ?? "",
            ])
        }
        let values = jobs.flatMap { job in
            job.value.map { ValueTree(style: style).lines(of: $0, label: job.target, remarks: []) }
                ?? []
        }
        return table.rendered(style) + values + cut
    }
}
#endif
