#if TELLTALE_AGENT
import Dispatch

/// Runs the jobs of a task on a queue, which is then the owner of everything between its awaits.
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
