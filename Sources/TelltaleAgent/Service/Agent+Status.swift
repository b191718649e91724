#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

extension Agent {
    /// What the status line says.
    func statusAnswer() -> StatusAnswer {
        let survey = QueueSurvey(agent: self)
        // Without a search: a status line costs next to nothing.
        let listing = QueueListing(
            survey: survey, isSearching: false,
            deadline: .now.advanced(by: configuration.ownerDeadline))
        let isAsked = survey.start()
        let queues = survey.finish(
            until: .now.advanced(by: configuration.ownerDeadline), isAsked: isAsked,
            facts: listing.facts)
        let observed = Set(survey.addresses)
        let oldest = listing.table.queues.filter { observed.contains($0.address) }
            .compactMap(\.oldestWait).max()
        let facts = ProcessFacts()
        let slowest =
            queues.first { $0.finding != nil }
            ?? queues.max { ($0.latencyMicroseconds ?? 0) < ($1.latencyMicroseconds ?? 0) }
        let isFresh = resumed.map { MonotonicTime.now.since($0) < .seconds(60) } ?? false
        return StatusAnswer(
            name: name, pid: facts.pid, uptimeSeconds: facts.uptimeSeconds,
            state: isFresh ? "resumed" : "running", threads: facts.threads,
            residentBytes: facts.residentBytes, cpuSeconds: facts.cpuSeconds,
            slowestQueue: slowest?.label, slowestMicroseconds: slowest?.latencyMicroseconds,
            unanswered: queues.filter { $0.finding != nil }.map(\.label),
            stoppedSeconds: stoppedTime.seconds, mode: mode.rawValue, problems: problems,
            stuck: hangWatch.verdict, oldestSeconds: oldest?.seconds,
            lateWakeUps: late.count > 0 ? late.count : nil)
    }

    /// The line that the status signal prints.
    func statusLine() -> String {
        Answer.status(statusAnswer()).rendered(TextStyle(color: false, width: nil))
            .split(separator: "\n").first.map(String.init) ?? ""
    }
}
#endif
