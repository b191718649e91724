#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// Runs a task on a thread of the agent's, so that it needs none of the cooperative pool.
///
/// With the pool blocked by 64 tasks a plain `Task` never ran; one that prefers an executor run by
/// a plain thread read an actor in 0.9 ms (measured). That thread may leave before the task is
/// done: an actor that becomes free later then brings its job here, and that job must run, since
/// the actor is held for it. It goes to the worker pool.
///
/// An actor that has come here for a turn goes on with the host's jobs that are in line for it, and those may
/// block: the thread counts as one of the host's but for the agent's own part.
final class WorkerExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isOpen = true
    }

    private let state = TimedCondition(State())
    private let workers: WorkerPool

    init(workers: WorkerPool) { self.workers = workers }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let isOpen = state.update { state in
            if state.isOpen { state.jobs.append(unowned) }
            return state.isOpen
        }
        if !isOpen { forward(unowned) }
    }

    /// Runs what is enqueued on the calling thread until `isDone`, which is asked between jobs, or
    /// until `deadline`.
    func run(until deadline: MonotonicTime, isDone: @escaping @Sendable () -> Bool) {
        while !isDone() {
            let job = state.wait(until: deadline) { state -> UnownedJob?? in
                if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
                return isDone() ? .some(nil) : nil
            }
            guard case .some(.some(let next)) = job else { break }
            run(next)
        }
        let left = state.update { state in
            state.isOpen = false
            let left = state.jobs
            state.jobs = []
            return left
        }
        for job in left { forward(job) }
    }

    // An actor's turn goes on with what the host has in line for it, for as long as there is something.
    private func run(_ job: UnownedJob) {
        NativeThread.lent { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Has a waiting thread read `isDone` again.
    func wake() { state.update { _ in } }

    private func forward(_ job: UnownedJob) {
        // The actor is held until it has run, so that it must not wait for a worker: Dispatch's
        // threads take it where there is none.
        workers.submit(
            WorkerPool.Job(
                bulkhead: nil, isWanted: { true },
                run: { [self] _ in run(job) },
                enqueue: { [self] _ in
                    DispatchQueue.global().async {
                        job.runSynchronously(on: self.asUnownedTaskExecutor())
                    }
                }))
    }
}
#endif
