#if TELLTALE_AGENT
import TelltaleSystem

/// A task executor for self-tests: runs a task's jobs on the thread that calls ``runAll(limit:)``.
final class CallersExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])
    private let descriptions = Locked<Set<String>>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // "UnownedJob(id: 12)"
        descriptions.withLock { _ = $0.insert(job.description) }
        jobs.withLock { $0.append(job) }
    }

    /// Runs the queued jobs and those that they enqueue, at most `limit` jobs.
    func runAll(limit: Int = 1000) {
        for _ in 0..<limit {
            let next = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let next else { return }
            next.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    var seenIDs: Set<UInt64> {
        Set(
            descriptions.withLock { $0 }.compactMap { text in
                UInt64(text.filter { $0 >= "0" && $0 <= "9" })
            })
    }
}
#endif
