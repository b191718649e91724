#if TELLTALE_COMPILED
/// What `status` answers: what stands in the one line of the status signal.
public struct StatusAnswer: Codable, Sendable, Equatable {
    /// The service's name.
    public var name: String
    /// Its process id, in its own pid namespace.
    public var pid: Int32
    /// Seconds since the process started.
    public var uptimeSeconds: Double
    /// `running`, or `resumed` within a minute of a pause.
    public var state: String
    /// How many threads the process has.
    public var threads: Int
    /// Resident memory in bytes.
    public var residentBytes: UInt64
    /// Processor time used since start, in seconds.
    public var cpuSeconds: Double
    /// The queue whose probe waited longest, and for how long; nil without observed queues.
    public var slowestQueue: String?
    /// That queue's latency in microseconds; nil where it did not answer.
    public var slowestMicroseconds: Int?
    /// Labels of the queues that did not answer their last probe.
    public var unanswered: [String]
    /// How long the process was stopped altogether, in seconds.
    public var stoppedSeconds: Double
    /// `read-write` or `read-only`.
    public var mode: String
    /// What was found to be wrong with the agent itself: signal conflicts, workers given up.
    public var problems: [String]
    /// What does not move, as far as is known without a search: `main`, `queue`, or `-` for
    /// nothing; nil where nobody looked.
    public var stuck: String?
    /// How long the oldest item of the observed queues has waited at least, in seconds; nil where
    /// it can't be had.
    public var oldestSeconds: Double?
    /// How often the agent was woken late though nobody is known to have stopped the process; nil for
    /// never.
    public var lateWakeUps: Int?

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - name: The service's name.
    ///   - pid: Its process id.
    ///   - uptimeSeconds: Seconds since the process started.
    ///   - state: `running`, or `resumed` within a minute of a pause.
    ///   - threads: How many threads the process has.
    ///   - residentBytes: Resident memory.
    ///   - cpuSeconds: Processor time used since start.
    ///   - slowestQueue: The queue whose probe waited longest.
    ///   - slowestMicroseconds: That queue's latency.
    ///   - unanswered: Queues that did not answer their last probe.
    ///   - stoppedSeconds: How long the process was stopped altogether.
    ///   - mode: `read-write` or `read-only`.
    ///   - problems: What was found to be wrong with the agent itself.
    ///   - stuck: What does not move.
    ///   - oldestSeconds: How long the oldest item has waited at least.
    ///   - lateWakeUps: How often the agent was woken late.
    public init(
        name: String, pid: Int32, uptimeSeconds: Double, state: String, threads: Int,
        residentBytes: UInt64, cpuSeconds: Double, slowestQueue: String?,
        slowestMicroseconds: Int?, unanswered: [String], stoppedSeconds: Double, mode: String,
        problems: [String], stuck: String? = nil, oldestSeconds: Double? = nil,
        lateWakeUps: Int? = nil
    ) {
        self.name = name
        self.pid = pid
        self.uptimeSeconds = uptimeSeconds
        self.state = state
        self.threads = threads
        self.residentBytes = residentBytes
        self.cpuSeconds = cpuSeconds
        self.slowestQueue = slowestQueue
        self.slowestMicroseconds = slowestMicroseconds
        self.unanswered = unanswered
        self.stoppedSeconds = stoppedSeconds
        self.mode = mode
        self.problems = problems
        self.stuck = stuck
        self.oldestSeconds = oldestSeconds
        self.lateWakeUps = lateWakeUps
    }
}

/// What `info` answers: facts of the process and of the agent, in named sections.
public struct InfoAnswer: Codable, Sendable, Equatable {
    /// One section, such as `process` or `agent`.
    public struct Section: Codable, Sendable, Equatable {
        /// The section's name.
        public var name: String
        /// Its rows, in the order in which they are shown.
        public var rows: [Row]

        /// Makes a section.
        ///
        /// - Parameters:
        ///   - name: The section's name.
        ///   - rows: Its rows.
        public init(name: String, rows: [Row]) {
            self.name = name
            self.rows = rows
        }
    }

    /// One fact.
    public struct Row: Codable, Sendable, Equatable {
        /// What it is.
        public var key: String
        /// What it says.
        public var value: String

        /// Makes a row.
        ///
        /// - Parameters:
        ///   - key: What it is.
        ///   - value: What it says.
        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The sections.
    public var sections: [Section]

    /// Makes the answer.
    ///
    /// - Parameter sections: The sections.
    public init(sections: [Section]) { self.sections = sections }
}

/// What `dump` answers. While it is being made, its lines come ahead as `part` notifications.
public struct DumpAnswer: Codable, Sendable, Equatable {
    /// Its number; `d7` on the screen.
    public var id: Int
    /// When it began, UTC with milliseconds.
    public var time: String
    /// All lines, each with the prefix, without line ends.
    public var lines: [String]
    /// How many things were asked for and not had.
    public var missing: Int
    /// Where it was written too, when a file was asked for.
    public var file: String?

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - time: When it began.
    ///   - lines: All lines.
    ///   - missing: How many things were asked for and not had.
    ///   - file: Where it was written too.
    public init(id: Int, time: String, lines: [String], missing: Int, file: String?) {
        self.id = id
        self.time = time
        self.lines = lines
        self.missing = missing
        self.file = file
    }
}

/// What `help` answers.
public struct HelpAnswer: Codable, Sendable, Equatable {
    /// The text, one element a line.
    public var lines: [String]

    /// Makes the answer.
    ///
    /// - Parameter lines: The text, one element a line.
    public init(lines: [String]) { self.lines = lines }
}
#endif
