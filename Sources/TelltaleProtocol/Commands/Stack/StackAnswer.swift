#if TELLTALE_COMPILED
/// The answer to `stack`: threads with the same stack are grouped.
public struct StackAnswer: CommandAnswer, MemberCoded {
    package static let kind = "stack"

    /// Threads with one stack.
    public struct Group: MemberCoded {
        /// The threads.
        public var threads: [ThreadEntry]
        /// Innermost first.
        public var frames: [StackFrame]
        /// The reason that there are no frames, or that they end before the thread's entry.
        public var gap: String?

        package init(threads: [ThreadEntry], frames: [StackFrame], gap: String? = nil) {
            self.threads = threads
            self.frames = frames
            self.gap = gap
        }
    }

    /// The groups: the main thread's first, then the largest.
    public var groups: [Group]
    /// The number of the agent's own threads that were left out.
    public var agentThreads: Int
    /// The number of threads that were running, and were interrupted for some microseconds.
    public var interrupted: Int
    /// The maximum time that one of these was stopped, in nanoseconds; 0 for none.
    public var longestHoldNanoseconds: Int
    /// The duration of the capture without symbolication, in microseconds.
    public var microseconds: Int
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(
        groups: [Group], agentThreads: Int = 0, interrupted: Int = 0,
        longestHoldNanoseconds: Int = 0, microseconds: Int, notes: [String] = []
    ) {
        self.groups = groups
        self.agentThreads = agentThreads
        self.interrupted = interrupted
        self.longestHoldNanoseconds = longestHoldNanoseconds
        self.microseconds = microseconds
        self.notes = notes
    }

    /// An empty one, to be read into.
    public init() { self.init(groups: [], microseconds: 0) }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("groups", &groups)
        coder.member("agentThreads", &agentThreads)
        coder.member("interrupted", &interrupted)
        coder.member("longestHoldNanoseconds", &longestHoldNanoseconds)
        coder.member("microseconds", &microseconds)
        coder.member("notes", &notes)
    }
}

extension StackAnswer.Group {
    /// An empty one, to be read into.
    public init() { self.init(threads: [], frames: []) }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("threads", &threads)
        coder.member("frames", &frames)
        coder.member("gap", &gap)
    }
}

extension StackAnswer.Group {
    /// The threads of the group and their stack, of which at most `limit` frames are shown.
    package func lines(_ style: TextStyle = TextStyle(), limit: Int? = nil) -> [String] {
        style.wrapped([StackText.heading(threads, style: style)], indent: 4)
            + StackText.lines(of: frames, gap: gap, limit: limit, style: style)
    }
}

extension StackAnswer {
    /// All groups with an empty line between them, and the omissions.
    package func lines(_ style: TextStyle) -> [String] {
        var lines: [String] = []
        for group in groups {
            if !lines.isEmpty { lines.append("") }
            lines += group.lines(style)
        }
        let count = groups.reduce(0) { $0 + $1.threads.count }
        if count > 1 {
            let interruptions =
                interrupted > 0
                ? ", \(Quantity.count(interrupted)) interrupted, "
                    + "for \(Quantity.time(microseconds: longestHoldNanoseconds / 1_000 + 1))"
                    + " at most" : ""
            let said =
                "\(Quantity.count(count)) threads, "
                + Quantity.count(groups.count, "stack", "different stacks")
                + ", captured in \(Quantity.time(microseconds: microseconds))" + interruptions
            lines += [""] + style.wrapped([said], indent: 4).map { style.painted($0, .dim) }
        }
        if agentThreads > 0 {
            lines.append(
                "… and \(Quantity.count(agentThreads)) of the agent's own (`stack all`)")
        }
        return (lines.isEmpty ? ["no threads"] : lines) + StackText.notes(notes, style)
    }
}
#endif
