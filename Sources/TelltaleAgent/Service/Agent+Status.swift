#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

extension Agent {
    /// What the status line says.
    func statusAnswer() -> StatusAnswer {
        let deadline = MonotonicTime.now.advanced(by: configuration.ownerDeadline)
        // Without a search: a status line costs next to nothing.
        var capture = Capture(.queues, of: self, until: deadline)
        capture.isSearching = false
        let picture = capture.take()
        var asking = QueueAsking(agent: self)
        asking.start()
        let queues = asking.finish(until: deadline, picture)
        return statusAnswer(picture, asked: queues, ProcessFacts())
    }

    /// What the status line says.
    ///
    /// - Parameters:
    ///   - picture: With the queues.
    ///   - queues: What came of asking those that the host has shown.
    ///   - facts: Of the process.
    /// - Returns: The answer.
    func statusAnswer(
        _ picture: Picture, asked queues: [QueueAsking.Outcome], _ facts: ProcessFacts
    ) -> StatusAnswer {
        let observed = Set(queues.compactMap(\.address))
        let oldest = picture.queues.filter { observed.contains($0.address) }
            .compactMap(\.oldestWait).max()
        let slowest =
            queues.first { $0.finding != nil }
            ?? queues.max { ($0.latency ?? .zero) < ($1.latency ?? .zero) }
        let isFresh = resumed.map { MonotonicTime.now.since($0) < .seconds(60) } ?? false
        return StatusAnswer(
            name: name, pid: facts.pid, uptimeSeconds: facts.uptimeSeconds,
            state: isFresh ? "resumed" : "running", threads: facts.threads,
            residentBytes: facts.residentBytes, cpuSeconds: facts.cpuSeconds,
            slowestQueue: slowest?.label, slowestMicroseconds: slowest?.latency?.microseconds,
            unanswered: queues.filter { $0.finding != nil }.map(\.label),
            stoppedSeconds: stoppedTime.seconds, mode: mode.rawValue, problems: problems,
            stuck: hangWatch.verdict, oldestSeconds: oldest?.seconds,
            lateWakeUps: late.count > 0 ? late.count : nil)
    }

    /// The line that the status signal prints.
    func statusLine() -> String {
        statusAnswer().rendered(TextStyle(color: false, width: nil))
            .split(separator: "\n").first.map(String.init) ?? ""
    }
}
#endif
