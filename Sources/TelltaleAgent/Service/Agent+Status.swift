#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

extension Agent {
    /// Time limit of the diagnosis for a status line, and the time for which its result is reused. The
    /// diagnosis takes a second if something seems not to move and nothing tells for how long, and some 50
    /// ms otherwise.
    private static let judging = Duration.milliseconds(1500)
    private static let judged = Duration.seconds(1)

    func statusAnswer() -> StatusAnswer {
        let began = MonotonicTime.now
        let deadline = began.advanced(by: configuration.ownerDeadline)
        let search = StuckSearch(agent: self, deadline: began.advanced(by: Self.judging))
        let isKnown = shared.judgement.isFresh(for: Self.judged)
        let picture = isKnown || !MemoryRoom.isEnough ? queuePicture(deadline) : search.capture()
        var asking = QueueAsking(agent: self)
        asking.start()
        if picture.parts.contains(.threads) { _ = search.answer(from: picture) }
        let queues = asking.finish(until: deadline, picture)
        return statusAnswer(picture, asked: queues, ProcessFacts())
    }

    /// The queues that the host has registered, without a search; this costs next to nothing.
    private func queuePicture(_ deadline: MonotonicTime) -> Picture {
        var capture = Capture(.queues, of: self, until: deadline)
        capture.isSearching = false
        return capture.take()
    }

    /// The latest finding of `stuck`, in one line; `-` if it found nothing.
    private var stuckSummary: String? {
        let watched = hangWatch.verdict
        guard shared.judgement.isFresh(for: .seconds(60)), let answer = shared.judgement.answer
        else { return watched }
        if let summary = answer.trouble { return summary }
        return answer.verdict == .unknown ? watched : watched ?? "-"
    }

    /// The time for which the state is `resumed` after a pause. The length of the stop stays in the line
    /// for good.
    private static let freshness = Duration.seconds(5)

    /// The status line, made from a picture with the queues and from the results of probing the queues that
    /// the host has registered.
    func statusAnswer(
        _ picture: Picture, asked queues: [QueueAsking.Outcome], _ facts: ProcessFacts
    ) -> StatusAnswer {
        let observed = Set(queues.compactMap(\.address))
        let oldest = picture.queues.filter { observed.contains($0.address) }
            .compactMap(\.oldestWait).max()
        let slowest =
            queues.first { $0.finding != nil }
            ?? queues.max { ($0.latency ?? .zero) < ($1.latency ?? .zero) }
        let isFresh = resumed.map { MonotonicTime.now.since($0) < Self.freshness } ?? false
        return StatusAnswer(
            name: name, pid: facts.pid, uptimeSeconds: facts.uptimeSeconds,
            state: isFresh ? "resumed" : "running", threads: facts.threads,
            residentBytes: facts.residentBytes, cpuSeconds: facts.cpuSeconds,
            slowestQueue: slowest?.label, slowestMicroseconds: slowest?.latency?.microseconds,
            unanswered: queues.filter { $0.finding != nil }.map(\.label),
            stoppedSeconds: stoppedTime.seconds, mode: mode.rawValue, problems: problems,
            stuck: stuckSummary, oldestSeconds: oldest?.seconds,
            lateWakeUps: late.count > 0 ? late.count : nil)
    }

    func statusLine() -> String {
        statusAnswer().rendered(TextStyle(color: false, width: nil))
            .split(separator: "\n").first.map(String.init) ?? ""
    }
}
#endif
