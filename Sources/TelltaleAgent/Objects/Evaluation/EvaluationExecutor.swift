#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// Runs the jobs of an evaluation's task on the evaluation's own thread, which survives a trap in them.
final class EvaluationExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isOpen = true
    }

    private let state = TimedCondition(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let isOpen = state.update { state in
            if state.isOpen { state.jobs.append(unowned) }
            return state.isOpen
        }
        if !isOpen { run(later: unowned) }
    }

    /// Runs jobs until `isDone`, which is called between them, or until one traps.
    ///
    /// An actor that becomes free runs its job here, and goes on with the host's jobs in its queue.
    func run(
        in guarded: GuardedCall, isDone: @escaping @Sendable () -> Bool
    ) -> GuardedCall.Trap? {
        var trap: GuardedCall.Trap?
        while trap == nil, !isDone() {
            let next = state.wait(until: .distantFuture) { state -> UnownedJob?? in
                if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
                return isDone() ? .some(nil) : nil
            }
            guard case .some(.some(let job)) = next else { break }
            NativeThread.lent {
                let executor = asUnownedTaskExecutor()
                trap = guarded.run { job.runSynchronously(on: executor) }
            }
        }
        let left = state.update { state in
            state.isOpen = false
            let left = state.jobs
            state.jobs = []
            return left
        }
        for job in left { run(later: job) }
        return trap
    }

    /// Makes the waiting thread call `isDone` again.
    func wake() { state.update { _ in } }

    // An actor may be held for the job, so it must run.
    private func run(later job: UnownedJob) {
        DispatchQueue.global().async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
#endif
