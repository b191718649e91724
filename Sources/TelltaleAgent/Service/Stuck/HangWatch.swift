#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Watches the registered owners, if the host or a client has enabled it, and writes a dump when one of
/// them makes no progress. While disabled it has no thread and no timer.
final class HangWatch: Sendable {
    private struct State {
        /// nil while it is off.
        var threshold: Duration?
        /// Incremented with each setting, which ends the previous setting's thread.
        var setting: UInt64 = 0
        var lastVerdict: String?
    }

    private let state = TimedCondition(State())

    /// The time without progress after which an owner counts as hung; nil while the watch is off.
    var threshold: Duration? { state.update { $0.threshold } }

    /// The first owner that the last report named, until every owner has made progress; `-` if there is
    /// none; nil while the watch is off.
    var verdict: String? {
        state.update { $0.threshold == nil ? nil : $0.lastVerdict ?? "-" }
    }

    /// Switches the watch on, off, or to another threshold.
    ///
    /// - Throws: The error if no thread can be created; the watch is off then.
    func set(_ threshold: Duration?, for agent: Agent) throws(SystemError) {
        let setting = state.update { state in
            state.threshold = threshold
            state.setting &+= 1
            state.lastVerdict = nil
            return state.setting
        }
        guard let threshold else { return }
        do throws(SystemError) {
            try NativeThread.start(name: "telltale-watch") { [self] in
                watch(agent, threshold, setting)
            }
        } catch {
            state.update { if $0.setting == setting { $0.threshold = nil } }
            throw error
        }
    }

    private func watch(_ agent: Agent, _ threshold: Duration, _ setting: UInt64) {
        let tick = max(.milliseconds(50), min(threshold / 8, .milliseconds(250)))
        var detector = HangDetector(threshold: threshold.seconds, tick: tick.seconds)
        var heartbeats = OwnerHeartbeats(agent: agent)
        defer { heartbeats.end() }
        var first: Picture?
        while true {
            let moment = MonotonicTime.now.advanced(by: tick)
            let isOver = state.wait(until: moment) { $0.setting == setting ? nil : true }
            if isOver == true || agent.isEnding { return }
            let beats = heartbeats.take()
            switch detector.judge(at: MonotonicTime.now.sinceStart, beats) {
            case .nothing: break
            case .prepare: first = Self.search(agent).capture()
            case .report(let owners, let seconds):
                report(agent, owners, seconds, first)
                first = nil
            }
            if !beats.contains(where: \.isWaiting) {
                state.update { $0.lastVerdict = nil }
            }
        }
    }

    private static func search(_ agent: Agent) -> StuckSearch {
        StuckSearch(
            agent: agent, deadline: .now.advanced(by: agent.configuration.commandDeadline))
    }

    private func report(
        _ agent: Agent, _ owners: [String], _ seconds: Double, _ first: Picture?
    ) {
        var search = Self.search(agent)
        // The owners have been silent for long enough; a client's `stuck` takes more pictures.
        if first != nil { search.mostPictures = 2 }
        let judged = search.judgement(since: first ?? search.capture())
        state.update { $0.lastVerdict = owners.first }
        agent.reports.submit {
            agent.writeDump(
                cause: .hang(owners: owners, seconds: seconds),
                known: (judged.answer, judged.picture))
        }
    }
}
#endif
