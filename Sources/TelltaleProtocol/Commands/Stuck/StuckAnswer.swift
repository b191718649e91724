#if TELLTALE_COMPILED
/// What `stuck` answers: what does not move, who holds it, and what to do next.
public struct StuckAnswer: CommandAnswer {
    package static let kind = "stuck"

    /// One that takes part: who waits, for what, and where.
    public struct Party: Codable, Sendable, Equatable {
        /// `thread`, `task`, `queue`, `lock`, `actor`, `group`, `semaphore` or `operation`.
        public var kind: String
        /// Its name as a person would say it: `thread 4251`, `task #12 refresh`.
        public var name: String
        /// The queue or the actor that it runs on, and so holds.
        public var on: String?
        /// What it waits for: `sync to downloads`, `waits for lock 0x7f… held by thread
        /// 4252`.
        public var relation: String?
        /// The host's innermost function in its stack, or the function of an item.
        public var function: String?
        /// The source file of that function.
        public var file: String?
        /// The line where it is.
        public var line: Int?
        /// The thread's id.
        public var thread: Int32?
        /// Its stack, innermost first.
        public var frames: [StackFrame]
        /// Why there are no frames, or why they end early.
        public var gap: String?

        package init(
            kind: String, name: String, on: String? = nil, relation: String? = nil,
            function: String? = nil, file: String? = nil, line: Int? = nil,
            thread: Int32? = nil, frames: [StackFrame] = [], gap: String? = nil
        ) {
            self.kind = kind
            self.name = name
            self.on = on
            self.relation = relation
            self.function = function
            self.file = file
            self.line = line
            self.thread = thread
            self.frames = frames
            self.gap = gap
        }
    }

    /// One thing that does not move.
    public struct Finding: Codable, Sendable, Equatable {
        /// `deadlock`, `queue`, `suspended`, `lock`, `group`, `semaphore`, `actor`, `task`,
        /// `operation`, `pool`, `main` or `other`.
        public var kind: String
        /// What it is in one line: `photos -> downloads -> photos`.
        public var title: String
        /// For how long at least, in seconds.
        public var seconds: Double?
        /// Since when at the latest, UTC with milliseconds.
        public var since: String?
        /// Who takes part; in a deadlock each waits for the next, and the last for the first.
        public var parties: [Party]
        /// What else is to be known: `a semaphore has no owner; anyone may signal it`.
        public var note: String?

        package init(
            kind: String, title: String, seconds: Double? = nil, since: String? = nil,
            parties: [Party], note: String? = nil
        ) {
            self.kind = kind
            self.title = title
            self.seconds = seconds
            self.since = since
            self.parties = parties
            self.note = note
        }
    }

    /// Something that waits because of it.
    public struct Blocked: Codable, Sendable, Equatable {
        /// What it is: `items`, `threads`, `tasks`, `on downloads`.
        public var what: String
        /// How many.
        public var count: Int

        package init(what: String, count: Int) {
            self.what = what
            self.count = count
        }
    }

    /// What was found.
    public var verdict: Verdict
    /// What does not move; deadlocks first.
    public var findings: [Finding]
    /// What waits because of it.
    public var blocked: [Blocked]
    /// Whether the main thread waits because of it; nil where nothing was found.
    public var isMainBlocked: Bool?
    /// What looks like it and isn't: `thumbs is suspended (the host called suspend)`.
    public var notIt: [String]
    /// Commands that show more: `stack 4251 4252`.
    public var next: [String]
    /// How many times was looked.
    public var looks: Int
    /// How long it took altogether.
    public var milliseconds: Int
    /// How many threads were looked at.
    public var threads: Int?
    /// How many queues.
    public var queues: Int?
    /// How many tasks; nil where they could not be looked at.
    public var tasks: Int?
    /// How long the oldest item of all queues has waited at least, in seconds.
    public var oldestSeconds: Double?
    /// What could not be looked at, and why.
    public var notes: [String]

    /// What was found; a struct, so that a newer agent's verdict is kept as it is.
    public struct Verdict: RawRepresentable, Codable, Sendable, Hashable {
        /// The verdict as it stands on the wire.
        public var rawValue: String
        /// Makes a verdict from its wire form.
        ///
        /// - Parameter rawValue: The verdict as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// All that was looked at moves, or has nothing to do.
        public static let healthy = Verdict(rawValue: "healthy")
        /// Something does not move, and waits for something that may still come.
        public static let blocked = Verdict(rawValue: "blocked")
        /// A cycle: it will never move.
        public static let deadlock = Verdict(rawValue: "deadlock")
        /// Nothing was found, and not all could be looked at: no time, no descriptor.
        public static let unknown = Verdict(rawValue: "unknown")
    }

    /// Whether a liveness probe should fail.
    public var isStuck: Bool { verdict != .healthy && verdict != .unknown }

    package var exitStatus: ExitStatus { isStuck ? .stuck : verdict == .unknown ? .late : .done }

    package init(
        verdict: Verdict, findings: [Finding], blocked: [Blocked] = [],
        isMainBlocked: Bool? = nil, notIt: [String] = [], next: [String] = [], looks: Int,
        milliseconds: Int, threads: Int? = nil, queues: Int? = nil, tasks: Int? = nil,
        oldestSeconds: Double? = nil, notes: [String] = []
    ) {
        self.verdict = verdict
        self.findings = findings
        self.blocked = blocked
        self.isMainBlocked = isMainBlocked
        self.notIt = notIt
        self.next = next
        self.looks = looks
        self.milliseconds = milliseconds
        self.threads = threads
        self.queues = queues
        self.tasks = tasks
        self.oldestSeconds = oldestSeconds
        self.notes = notes
    }
}
#endif
