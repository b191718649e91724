#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import Synchronization
    import TelltaleSystem

    /// Threads that run the host's code for the agent: descriptions, actions, closures, and whatever
    /// waits for an owner of the host.
    ///
    /// Such a call may never come back. It then costs one thread of this pool and nothing else; the
    /// caller has gone on at its deadline. One idle thread is held in reserve, for a host that can
    /// have no further one.
    final class WorkerPool: Sendable {
        private struct State {
            var jobs: [@Sendable () -> Void] = []
            var idle = 0
            var threads = 0
            var isClosed = false
        }

        /// The most threads at once; a job beyond waits for one until its caller's deadline.
        let limit: Int
        private let state = TimedCondition(State())

        init(limit: Int) {
            self.limit = limit
            // The reserve is made while threads can still be had.
            try? spawn()
        }

        /// How many threads there are, and how many of them wait for work.
        var counts: (threads: Int, idle: Int) {
            state.update { ($0.threads, $0.idle) }
        }

        /// Has `job` run on a thread of the pool, at once where there is room.
        func submit(_ job: @escaping @Sendable () -> Void) {
            let needsThread = state.update { state in
                state.jobs.append(job)
                return state.idle < state.jobs.count && state.threads < limit
            }
            // A failure leaves the job to the threads that there are.
            if needsThread { try? spawn() }
        }

        /// Ends the idle threads; the others end when they come back.
        func close() { state.update { $0.isClosed = true } }

        private func spawn() throws(SystemError) {
            state.update { $0.threads += 1 }
            do throws(SystemError) {
                try NativeThread.start(name: "telltale-work") { [self] in run() }
            } catch {
                state.update { $0.threads -= 1 }
                throw error
            }
        }

        private func run() {
            while let job = next() { job() }
        }

        private func next() -> (@Sendable () -> Void)? {
            // Whoever finds another thread idle already ends: one in reserve is enough.
            let mayWait = state.update { state in
                if state.jobs.isEmpty, state.idle >= 1 || state.isClosed {
                    state.threads -= 1
                    return false
                }
                state.idle += 1
                return true
            }
            guard mayWait else { return nil }
            return state.wait(until: .distantFuture) { state -> (@Sendable () -> Void)?? in
                if !state.jobs.isEmpty {
                    state.idle -= 1
                    return .some(state.jobs.removeFirst())
                }
                if state.isClosed {
                    state.idle -= 1
                    state.threads -= 1
                    return .some(nil)
                }
                return nil
            } ?? nil
        }
    }
#endif
