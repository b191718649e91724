#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// Runs a task on an agent thread, so that it needs no thread of the cooperative pool.
///
/// With the pool blocked by 64 tasks a plain `Task` never ran; a task that prefers an executor run by a
/// plain thread read an actor in 0.9 ms (measured). That thread may leave before the task is done. An actor
/// that becomes free later then enqueues its job here. The job must run, since the actor is held for it, so
/// it goes to the worker pool.
///
/// After the agent's job, the actor continues on this thread with the host's jobs in its queue, and those
/// may block. So the thread counts as one of the host's, except during the agent's own part.
final class WorkerExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isOpen = true
    }

    private let state = TimedCondition(State())
    private let workers: WorkerPool
    /// Runs each job of the thread, and survives a trap in it; `nil` for jobs that run as the service's own do.
    private let guarded: GuardedCall?

    init(workers: WorkerPool, in guarded: GuardedCall? = nil) {
        (self.workers, self.guarded) = (workers, guarded)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let isOpen = state.update { state in
            if state.isOpen { state.jobs.append(unowned) }
            return state.isOpen
        }
        if !isOpen { forward(unowned) }
    }

    /// Runs enqueued jobs on the calling thread until `isDone`, which is called between jobs, until `deadline`, or until
    /// one traps in the guarded call.
    ///
    /// - Returns: The trap.
    @discardableResult
    func run(
        until deadline: MonotonicTime, isDone: @escaping @Sendable () -> Bool
    ) -> GuardedCall.Trap? {
        var trap: GuardedCall.Trap?
        while trap == nil, !isDone() {
            let job = state.wait(until: deadline) { state -> UnownedJob?? in
                if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
                return isDone() ? .some(nil) : nil
            }
            guard case .some(.some(let next)) = job else { break }
            trap = run(next)
        }
        let left = state.update { state in
            state.isOpen = false
            let left = state.jobs
            state.jobs = []
            return left
        }
        for job in left { forward(job) }
        return trap
    }

    // The actor continues with the host's jobs in its queue as long as there are any.
    @discardableResult
    private func run(_ job: UnownedJob) -> GuardedCall.Trap? {
        var trap: GuardedCall.Trap?
        let executor = asUnownedTaskExecutor()
        NativeThread.lent {
            if let guarded {
                trap = guarded.run { job.runSynchronously(on: executor) }
            } else {
                job.runSynchronously(on: executor)
            }
        }
        return trap
    }

    /// Makes a waiting thread call `isDone` again.
    func wake() { state.update { _ in } }

    private func forward(_ job: UnownedJob) {
        // The actor is held until the job has run, so the job must not wait for a worker: Dispatch's
        // threads take it if no worker is free.
        workers.submit(
            WorkerPool.Job(
                bulkhead: nil, isWanted: { true },
                run: { [self] _ in
                    NativeThread.lent { job.runSynchronously(on: asUnownedTaskExecutor()) }
                },
                enqueue: { [self] _ in
                    DispatchQueue.global().async {
                        job.runSynchronously(on: self.asUnownedTaskExecutor())
                    }
                }))
    }
}

/// Runs a task's jobs on a queue, which thus owns all code between the task's suspension points.
final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async(flags: .barrier) { [self] in
            unowned.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
#endif
