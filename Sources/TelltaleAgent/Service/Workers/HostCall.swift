#if TELLTALE_AGENT
import TelltaleSystem

/// One call into the host, awaited until a deadline and no longer.
///
/// A call that has not started by the deadline is cancelled and never runs. A call that has started gets a
/// grace period to finish, since the work that the agent itself does in it is bounded.
final class HostCall<Result: Sendable>: Sendable {
    enum Outcome: Sendable {
        case finished(Result)
        /// The call never started: the owner did not become available.
        case cancelled
        /// The call started and has not returned.
        case abandoned
        /// The call never started: it was no longer wanted.
        case withdrawn
    }

    private enum Phase {
        case waiting
        case running
        case finished(Result)
        /// The result belongs to the waiting thread, which releases it.
        case delivered
        case cancelled
        case withdrawn
    }

    private let phase = TimedCondition(Phase.waiting)
    private let isUnwanted: (@Sendable () -> Bool)?
    /// The interval at which the waiting thread checks that the call is still wanted.
    private static var slice: Duration { .milliseconds(50) }

    /// Creates a call. `isUnwanted` is called while it waits, and once more right before it begins, then on
    /// the thread that owns the value. Once it returns true, the call never runs. It must not block.
    init(unless isUnwanted: (@Sendable () -> Bool)? = nil) { self.isUnwanted = isUnwanted }

    /// Runs `body` unless the caller has given up; called once, on the thread that owns the value.
    func run(_ body: () -> Result) {
        guard begin() else { return }
        finish(body())
    }

    /// True while it has neither begun nor been given up.
    var isWanted: Bool {
        phase.withLock { phase in
            if case .waiting = phase { return true }
            return false
        }
    }

    /// Claims the right to run; false after the caller has given up.
    ///
    /// Also false on a host thread that could not allocate the memory that the agent needs: the process
    /// would end there.
    func begin() -> Bool {
        guard MemoryRoom.threadHasHeap else { return false }
        // The thread that waits for the end is not woken by the beginning.
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

    /// Sets the result of a call that has begun.
    func finish(_ result: Result) {
        phase.update { phase in
            if case .running = phase { phase = .finished(result) }
        }
    }

    /// Waits for the result until `moment`; the call continues after that.
    func isFinished(by moment: MonotonicTime) -> Bool {
        phase.wait(until: moment) { phase in
            if case .finished = phase { true } else { nil }
        } ?? false
    }

    /// Waits for the end until `deadline`, and `grace` longer if the call has started. With
    /// `leavesRunning`, stops waiting for a running call once it is no longer wanted.
    ///
    /// The result is returned once: the thread that ran the call may hold this object for much longer, and
    /// must not retain the host's value.
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
