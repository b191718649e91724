#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Answers liveness probes in the time that they have, whatever the service's size.
///
/// Each probe begins a look at the process, unless one is under way. Where that is not done soon (tens of
/// thousands of tasks, a machine without a free processor) the probe is answered with the one that was done
/// last, if that found nothing, and says how old it is; the new one goes on, for the next probe. Only where
/// there is none, or it is too old, does a probe wait longer.
///
/// It costs what a look costs, once for each probe, and a thread for as long as that takes.
final class ProbeLooks: Sendable {
    /// How long a probe waits for its look while there is an earlier one.
    static let patience = Duration.milliseconds(80)
    /// An earlier look of a longer time ago says nothing of now.
    static let lifetime = Duration.seconds(60)
    /// What a look may take. Without a processor it gets none of it, and a probe without an answer ends a
    /// service that is only busy: those of the README wait for two seconds.
    static let longest = Duration.milliseconds(1400)

    private struct Look {
        var number: UInt64
        /// From when on what stands still counts, in seconds.
        var after: Double
    }

    private struct Done {
        var look: Look
        var answer: StuckAnswer
        var at: MonotonicTime
    }

    private struct State {
        var count: UInt64 = 0
        var underWay: Look?
        /// The last one for each length that was asked for; of a few.
        var done: [Double: Done] = [:]
    }

    /// More lengths than these are not remembered.
    private static let most = 8

    private enum Part {
        /// Nobody looks: the caller does.
        case own(Look)
        /// One that asks for the same is under way.
        case joined(Look)
        /// One that asks for something else is.
        case alone
    }

    private let state = TimedCondition(State())
    private let patience: Duration
    private let lifetime: Duration

    init(patience: Duration = ProbeLooks.patience, lifetime: Duration = ProbeLooks.lifetime) {
        self.patience = patience
        self.lifetime = lifetime
    }

    /// An answer that is had in time.
    ///
    /// - Parameters:
    ///   - after: From when on what stands still counts, in seconds.
    ///   - threads: On one of which it looks.
    ///   - look: Looks at the process, for ``longest`` at most.
    /// - Returns: What the look has found, or one before it; nil where there was neither.
    func answer(
        after: Double, on threads: AgentThreads, by look: @escaping @Sendable () -> StuckAnswer
    ) -> StuckAnswer? {
        let began = MonotonicTime.now
        let joined: Look
        switch join(after) {
        case .alone: return look()
        case .joined(let other): joined = other
        case .own(let own):
            joined = own
            do throws(SystemError) {
                try threads.run(.probe) { [self] in finish(own, look()) }
            } catch {
                // Without a thread of its own there is nobody to go on with it.
                finish(own, look())
            }
        }
        if let answer = answer(of: joined, until: began.advanced(by: patience)) { return answer }
        if let earlier = earlier(after, at: began) { return earlier }
        return answer(of: joined, until: began.advanced(by: Self.longest))
    }

    private func join(_ after: Double) -> Part {
        state.withLock { state in
            if let underWay = state.underWay {
                return underWay.after == after ? .joined(underWay) : .alone
            }
            state.count += 1
            let look = Look(number: state.count, after: after)
            state.underWay = look
            return .own(look)
        }
    }

    private func finish(_ look: Look, _ answer: StuckAnswer) {
        state.update { state in
            state.underWay = nil
            if state.done.count >= Self.most, state.done[look.after] == nil,
                let oldest = state.done.min(by: { $0.value.at < $1.value.at })
            {
                state.done[oldest.key] = nil
            }
            state.done[look.after] = Done(look: look, answer: answer, at: .now)
        }
    }

    private func answer(of look: Look, until moment: MonotonicTime) -> StuckAnswer? {
        state.wait(until: moment) { state in
            guard let last = state.done[look.after], last.look.number >= look.number else {
                return nil
            }
            return last.answer
        }
    }

    /// The last one, if it tells something of this moment. Who was stuck then may have gone on: a service is
    /// not ended for what was once.
    private func earlier(_ after: Double, at now: MonotonicTime) -> StuckAnswer? {
        guard let last = state.withLock({ $0.done[after] }), last.answer.verdict == .healthy,
            now.since(last.at) < lifetime
        else { return nil }
        var answer = last.answer
        answer.ageSeconds = now.since(last.at).seconds
        return answer
    }
}
#endif
