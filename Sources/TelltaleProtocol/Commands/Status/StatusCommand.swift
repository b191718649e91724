#if TELLTALE_COMPILED
/// `status`: the line of the status signal.
package enum StatusCommand: Command {
    package typealias Answer = StatusAnswer

    package static let description = CommandDescription(
        "status", "one-line status",
        detail: """
            Uptime, threads, memory, the slowest queue, the queues that did not answer, how long
            the process was stopped. The same line as the status signal writes.
            """)
}

/// The answer to `status`: the facts in the one line of the status signal.
public struct StatusAnswer: CommandAnswer {
    package static let kind = "status"

    /// The service's name.
    public var name: String
    /// Its process id, in its own pid namespace.
    public var pid: Int32
    /// Seconds since the process started.
    public var uptimeSeconds: Double
    /// `running`, or `resumed` within 5 s of a pause.
    public var state: String
    /// The number of threads of the process; 0 if `/proc` can't be read.
    public var threads: Int
    /// Resident memory in bytes; 0 if `/proc` can't be read.
    public var residentBytes: UInt64
    /// Processor time used since start, in seconds.
    public var cpuSeconds: Double
    /// The queue whose probe waited longest; `nil` without observed queues.
    public var slowestQueue: String?
    /// That queue's latency in microseconds; `nil` if it did not answer.
    public var slowestMicroseconds: Int?
    /// Labels of the queues that did not answer their last probe.
    public var unanswered: [String]
    /// The total time that the process was stopped, in seconds.
    public var stoppedSeconds: Double
    /// `read-write` or `read-only`.
    public var mode: String
    /// Problems of the agent itself: signal conflicts, abandoned workers.
    public var problems: [String]
    /// The finding of `stuck` in one line, or `-` for none; `nil` if unknown.
    public var stuck: String?
    /// The time that the oldest item of the observed queues has waited at least, in seconds; `nil`
    /// if not available.
    public var oldestSeconds: Double?
    /// The number of late wake-ups of the agent without a known stop of the process; `nil` for
    /// none.
    public var lateWakeUps: Int?

    package init(
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

    package var threadsText: String { threads > 0 ? "\(threads)" : "unknown" }
    package var memoryText: String {
        residentBytes > 0 ? Quantity.bytes(residentBytes, .field) : "unknown"
    }

    /// One line of `key=value`, like the dump's, so that grep finds it in a shared log; on a
    /// terminal as many lines as needed.
    package func lines(_ style: TextStyle) -> [String] {
        var facts = [
            "\(name)(\(pid))", state, "up=\(Quantity.uptime(uptimeSeconds))",
            "threads=\(threadsText)", "rss=\(memoryText)",
            "cpu=\(Quantity.time(seconds: cpuSeconds, .field))",
        ]
        if let slowestQueue {
            let latency =
                slowestMicroseconds.map { Quantity.time(microseconds: $0) } ?? "no answer"
            facts.append("slowest=\(slowestQueue) (\(latency))")
        }
        let silent = unanswered.isEmpty ? "none" : unanswered.joined(separator: ",")
        // Absent facts are left out: an older agent does not know them, and the line is long.
        let isStuck = stuck.map { $0 != "-" } ?? false
        if let oldestSeconds, oldestSeconds > 0 {
            facts.append("oldest=\(Quantity.time(seconds: oldestSeconds, .field))")
        }
        facts += [
            "unanswered=\(silent)", "stopped=\(Quantity.time(seconds: stoppedSeconds, .field))",
            "mode=\(mode)",
        ]
        if let lateWakeUps { facts.insert("late=\(lateWakeUps)", at: facts.count - 1) }
        if isStuck, let stuck { facts.append("stuck=\(stuck)") }
        if !problems.isEmpty { facts.append("problems: " + problems.joined(separator: "; ")) }
        let line = facts.map(\.escaped).joined(separator: " ")
        let isWell = unanswered.isEmpty && problems.isEmpty && !isStuck
        let lines = style.wrapped([line], indent: 2)
        return isWell ? lines : lines.map { style.painted($0, .red) }
    }
}
#endif
