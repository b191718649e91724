#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentSystem

    /// One call into the host that is waited for until a deadline, and not a moment longer.
    ///
    /// A call that has not started by then is cancelled and never runs; one that has started is given
    /// a grace to finish, since what it does is bounded where the agent wrote it.
    final class HostCall<Result: Sendable>: Sendable {
        /// What came of it.
        enum Outcome: Sendable {
            case finished(Result)
            /// It never started: the owner was not to be had.
            case cancelled
            /// It started and has not come back.
            case abandoned
        }

        private enum Phase {
            case waiting
            case running
            case finished(Result)
            case cancelled
        }

        private let phase = TimedCondition(Phase.waiting)

        /// Runs `body` unless the caller has gone; to be called once, on whatever thread owns the value.
        func run(_ body: () -> Result) {
            guard begin() else { return }
            finish(body())
        }

        /// Whether it has neither begun nor been given up.
        var isWanted: Bool {
            phase.look { phase in
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
            return phase.look { phase in
                guard case .waiting = phase else { return false }
                phase = .running
                return true
            }
        }

        /// Gives the result of what was begun.
        func finish(_ result: Result) {
            phase.update { phase in
                if case .running = phase { phase = .finished(result) }
            }
        }

        /// Waits for the end, at most until `deadline`, and `grace` longer for what has started.
        func outcome(until deadline: MonotonicTime, grace: Duration = .milliseconds(250)) -> Outcome
        {
            let finished: (inout Phase) -> Result? = { phase in
                if case .finished(let result) = phase { return result }
                return nil
            }
            if let result = phase.wait(until: deadline, for: finished) { return .finished(result) }
            let isRunning = phase.look { phase in
                if case .waiting = phase {
                    phase = .cancelled
                    return false
                }
                return true
            }
            guard isRunning else { return .cancelled }
            if let result = phase.wait(until: deadline.advanced(by: grace), for: finished) {
                return .finished(result)
            }
            return .abandoned
        }
    }
#endif
