#if TELLTALE_AGENT
import TelltaleSystem

/// Runs the jobs of a task on the thread that calls it, when it is told to: for self-tests.
final class CallersExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])
    private let descriptions = Locked<Set<String>>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // "UnownedJob(id: 12)"
        descriptions.withLock { _ = $0.insert(job.description) }
        jobs.withLock { $0.append(job) }
    }

    /// Runs what there is, and what that makes, at most `limit` jobs.
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
