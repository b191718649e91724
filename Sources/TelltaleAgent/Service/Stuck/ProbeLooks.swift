#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleSystem

/// Answers liveness probes in the time that they have, whatever the service's size.
///
/// Each probe begins a look at the process, unless one is under way. Where that has come to nothing soon (tens of
/// thousands of tasks, a machine without a free processor) the probe is answered with the one that was done
/// last, if that found nothing, and says how old it is; the new one goes on, for the next probe.
///
/// A probe waits longer where the last one says nothing of now: it is too old, something that waited in it may be
/// a finding by now, or another question has found something since. It waits longer too where the new one
/// already sees something that it has to look at again. A look that then comes to no end leaves the last one.
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
    /// The time that a look may take on a thread of its own, whose result serves the next probes: 200,000 tasks of
    /// a debug build take a second with a free processor, and more without.
    static let longestLook = Duration.seconds(5)

    /// The result of a look.
    struct Outcome: Sendable {
        var answer: StuckAnswer
        /// The time in which nothing that waited in it becomes a finding; `nil` if nothing may.
        var holds: Duration?
    }

    private struct Look {
        var number: UInt64
        /// From when on what stands still counts, in seconds.
        var after: Double
        /// Set once it has seen something that it looks at again.
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
        /// The last one for each length that was asked for; of a few.
        var done: [Double: Done] = [:]
        /// The last one that found nothing, where none since has found something.
        var healthy: [Double: Done] = [:]
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
    ///   - known: What another question was answered with last.
    ///   - threads: On one of which it looks.
    ///   - look: Looks at the process, for so long at most, and says when it is in doubt.
    /// - Returns: What the look has found, or one before it; nil where there was neither.
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
                // Without a thread of its own nothing could go on with it.
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
            // A deadlock never ends; of anything else that was found that isn't known.
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

    /// Waits until a look is done, or in doubt, where that is enough.
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

    /// The last one that found nothing, if that isn't long ago. Who was stuck then may have gone on: a service
    /// is not ended for what was once.
    private func last(_ after: Double, at now: MonotonicTime) -> Done? {
        state.withLock { $0.healthy[after] }.flatMap { now.since($0.at) < lifetime ? $0 : nil }
    }
}
#endif
