#if TELLTALE_AGENT
import Dispatch

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
