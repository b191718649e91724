#if TELLTALE_AGENT
import TelltaleSystem

/// One call into the host that is waited for until a deadline, and not a moment longer.
///
/// A call that has not started by then is cancelled and never runs; one that has started is given
/// a grace to finish, since what it does is bounded where the agent wrote it.
final class HostCall<Result: Sendable>: Sendable {
    enum Outcome: Sendable {
        case finished(Result)
        /// It never started: the owner was not to be had.
        case cancelled
        /// It started and has not come back.
        case abandoned
        /// It never started: it was not wanted any more.
        case withdrawn
    }

    private enum Phase {
        case waiting
        case running
        case finished(Result)
        /// The result is the waiting one's, who lets it go.
        case delivered
        case cancelled
        case withdrawn
    }

    private let phase = TimedCondition(Phase.waiting)
    private let isUnwanted: (@Sendable () -> Bool)?
    /// How often whoever waits asks whether the call is still wanted.
    private static var slice: Duration { .milliseconds(50) }

    /// Makes a call. `isUnwanted` is asked while it waits, and at the last moment before it begins,
    /// then on the thread that owns the value: once it says so, the call never runs. It must not
    /// wait.
    init(unless isUnwanted: (@Sendable () -> Bool)? = nil) { self.isUnwanted = isUnwanted }

    /// Runs `body` unless the caller has gone; to be called once, on whatever thread owns the value.
    func run(_ body: () -> Result) {
        guard begin() else { return }
        finish(body())
    }

    /// Whether it has neither begun nor been given up.
    var isWanted: Bool {
        phase.withLock { phase in
            if case .waiting = phase { return true }
            return false
        }
    }

    /// Claims the right to run; false after the caller has gone.
    ///
    /// So it is on a thread of the host's that could not allocate what the agent needs: the process
    /// would end there.
    func begin() -> Bool {
        guard MemoryRoom.threadHasHeap else { return false }
        // Whoever waits for the end isn't woken by the beginning.
        return phase.withLock { phase in
            guard case .waiting = phase, !withdraw(&phase) else { return false }
            phase = .running
            return true
        }
    }

    private func withdraw(_ phase: inout Phase) -> Bool {
        guard let isUnwanted, isUnwanted() else { return false }
        phase = .withdrawn
        return true
    }

    /// Gives the result of what was begun.
    func finish(_ result: Result) {
        phase.update { phase in
            if case .running = phase { phase = .finished(result) }
        }
    }

    /// Waits until its result is there, at most until `moment`; it goes on after that.
    func isFinished(by moment: MonotonicTime) -> Bool {
        phase.wait(until: moment) { phase in
            if case .finished = phase { true } else { nil }
        } ?? false
    }

    /// Waits for the end, at most until `deadline`, and `grace` longer for what has started; where it
    /// `leavesRunning`, no longer than it is wanted.
    ///
    /// The result is given once: the thread that ran it may have this object for much longer, and must not
    /// keep what is the host's.
    func outcome(
        until deadline: MonotonicTime, grace: Duration = .milliseconds(250),
        leavesRunning: Bool = false
    ) -> Outcome {
        let finished: (inout Phase) -> Result? = { phase in
            guard case .finished(let result) = phase else { return nil }
            phase = .delivered
            return result
        }
        while isUnwanted != nil, MonotonicTime.now.advanced(by: Self.slice) < deadline {
            let next = MonotonicTime.now.advanced(by: Self.slice)
            if let result = phase.wait(until: next, for: finished) { return .finished(result) }
            let ending = phase.withLock { phase -> Outcome? in
                switch phase {
                case .withdrawn: .withdrawn
                case .waiting: withdraw(&phase) ? .withdrawn : nil
                case .running: leavesRunning && isUnwanted?() == true ? .abandoned : nil
                default: nil
                }
            }
            if let ending { return ending }
        }
        if let result = phase.wait(until: deadline, for: finished) { return .finished(result) }
        let ending = phase.withLock { phase -> Outcome? in
            switch phase {
            case .waiting:
                if withdraw(&phase) { return .withdrawn }
                phase = .cancelled
                return .cancelled
            case .withdrawn: return .withdrawn
            default: return nil
            }
        }
        if let ending { return ending }
        if let result = phase.wait(until: deadline.advanced(by: grace), for: finished) {
            return .finished(result)
        }
        return .abandoned
    }
}
#endif
