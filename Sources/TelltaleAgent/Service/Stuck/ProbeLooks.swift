#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleSystem

/// Answers liveness probes within their timeout, whatever the service's size.
///
/// Each probe starts a check of the process, unless one is running. If that check is not done soon (tens of
/// thousands of tasks, a machine without a free core), the probe is answered with the last finished check,
/// if that found nothing, and the answer gives its age. The new check continues, for the next probe.
///
/// A probe waits longer in these cases: the last check is too old, a wait in it may have become a finding
/// since, or another command has found something since. It also waits longer if the new check already sees
/// something that it has to confirm. If the new check then does not finish in time, the last one is the
/// answer.
///
/// Each probe costs one check, and a thread for the duration of the check.
final class ProbeLooks: Sendable {
    /// The time that a probe waits for its check while there is an earlier result.
    static let patience = Duration.milliseconds(80)
    /// The age beyond which an earlier result is not used.
    static let lifetime = Duration.seconds(60)
    /// The time limit of a check that a probe waits for. Without a core the check makes no progress, and a
    /// probe without an answer restarts a service that is only busy: the probes of Docs/Probes.md have a timeout
    /// of two seconds.
    static let longest = Duration.milliseconds(1400)
    /// The time limit of a check on a thread of its own, whose result serves the next probes: 200,000 tasks
    /// of a debug build take a second with a free core, and more without.
    static let longestLook = Duration.seconds(5)

    /// The result of a check.
    struct Outcome: Sendable {
        var answer: StuckAnswer
        /// The time in which nothing that waited in it becomes a finding; `nil` if nothing may.
        var holds: Duration?
    }

    private struct Look {
        var number: UInt64
        /// The time without progress after which a wait counts as stuck, in seconds.
        var after: Double
        /// Set once it has seen something that it has to confirm.
        var isInDoubt = false
    }

    private struct Done {
        var look: Look
        var outcome: Outcome
        var at: MonotonicTime

        func holds(at moment: MonotonicTime) -> Bool {
            outcome.holds.map { moment.since(at) < $0 } ?? true
        }
    }

    private struct State {
        var count: UInt64 = 0
        var underWay: Look?
        /// The last check for each of the few thresholds that probes asked for.
        var done: [Double: Done] = [:]
        /// The last check that found nothing, unless a later one has found something.
        var healthy: [Double: Done] = [:]
    }

    /// The maximum number of thresholds that are remembered.
    private static let most = 8

    private enum Part {
        /// No check is running: the caller starts one.
        case own(Look)
        /// A check with the same threshold is running.
        case joined(Look)
        /// A check with another threshold is running.
        case alone
    }

    private let state = TimedCondition(State())
    private let patience: Duration
    private let lifetime: Duration

    init(patience: Duration = ProbeLooks.patience, lifetime: Duration = ProbeLooks.lifetime) {
        self.patience = patience
        self.lifetime = lifetime
    }

    /// Returns an answer within the timeout.
    ///
    /// - Parameters:
    ///   - after: The time without progress after which a wait counts as stuck, in seconds.
    ///   - known: The latest answer of another command, and its time.
    ///   - threads: Provides the thread that runs the check.
    ///   - look: Checks the process within the given time limit, and reports when it is in doubt.
    /// - Returns: The result of the check, or of an earlier one; nil if there is neither.
    func answer(
        after: Double, known: (answer: StuckAnswer, at: MonotonicTime)? = nil,
        on threads: AgentThreads,
        by look:
            @escaping @Sendable (_ longest: Duration, _ doubt: @escaping @Sendable () -> Void)
            -> Outcome
    ) -> StuckAnswer? {
        let began = MonotonicTime.now
        let joined: Look
        switch join(after) {
        case .alone: return look(Self.longest, {}).answer
        case .joined(let other): joined = other
        case .own(let own):
            joined = own
            do throws(SystemError) {
                try threads.run(.probe) { [self] in
                    finish(own, look(Self.longestLook) { self.doubt(own) })
                }
            } catch {
                // Without a thread of its own, no other thread could finish the check.
                finish(own, look(Self.longest, {}))
            }
        }
        wait(for: joined, until: began.advanced(by: patience), orDoubt: true)
        if let own = done(joined), own.verdict != .unknown { return own }
        let last = last(after, at: began)
        let accusation = known.flatMap { known in
            last.map { known.at > $0.at } != false
                && known.answer.isStuck(after: after, age: began.since(known.at).seconds)
                ? known : nil
        }
        if !isInDoubt(joined), accusation == nil, let last, last.holds(at: began) {
            return aged(last.outcome.answer, began.since(last.at))
        }
        wait(for: joined, until: began.advanced(by: Self.longest), orDoubt: false)
        let own = done(joined)
        if let own, own.verdict != .unknown { return own }
        if let accusation {
            // A deadlock never ends; any other finding may have ended by now.
            let isForGood = accusation.answer.verdict == .deadlock
            return isForGood ? aged(accusation.answer, began.since(accusation.at)) : own
        }
        return last.map { aged($0.outcome.answer, began.since($0.at)) } ?? own
    }

    private func aged(_ answer: StuckAnswer, _ age: Duration) -> StuckAnswer {
        var answer = answer
        answer.ageSeconds = age.seconds
        return answer
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

    private func doubt(_ look: Look) {
        state.update { state in
            if state.underWay?.number == look.number { state.underWay?.isInDoubt = true }
        }
    }

    private func isInDoubt(_ look: Look) -> Bool {
        state.withLock { $0.underWay?.number == look.number && $0.underWay?.isInDoubt == true }
    }

    private func finish(_ look: Look, _ outcome: Outcome) {
        state.update { state in
            state.underWay = nil
            if state.done.count >= Self.most, state.done[look.after] == nil,
                let oldest = state.done.min(by: { $0.value.at < $1.value.at })
            {
                state.done[oldest.key] = nil
                state.healthy[oldest.key] = nil
            }
            let done = Done(look: look, outcome: outcome, at: .now)
            state.done[look.after] = done
            switch outcome.answer.verdict {
            case .healthy: state.healthy[look.after] = done
            case .unknown: break
            default: state.healthy[look.after] = nil
            }
        }
    }

    /// Waits until a check is done, or, if that is enough, in doubt.
    private func wait(for look: Look, until moment: MonotonicTime, orDoubt: Bool) {
        _ = state.wait(until: moment) { state in
            let isInDoubt =
                state.underWay?.number == look.number && state.underWay?.isInDoubt == true
            return Self.isDone(look, state) || (orDoubt && isInDoubt) ? true : nil
        }
    }

    private static func isDone(_ look: Look, _ state: State) -> Bool {
        state.done[look.after].map { $0.look.number >= look.number } ?? false
    }

    private func done(_ look: Look) -> StuckAnswer? {
        state.withLock { Self.isDone(look, $0) ? $0.done[look.after]?.outcome.answer : nil }
    }

    /// The last check that found nothing, if it isn't too old. A finding is never reused here, since stuck
    /// threads may have continued: a service is never restarted for a stale finding.
    private func last(_ after: Double, at now: MonotonicTime) -> Done? {
        state.withLock { $0.healthy[after] }.flatMap { now.since($0.at) < lifetime ? $0 : nil }
    }
}
#endif
