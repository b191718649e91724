#if TELLTALE_AGENT
import TelltaleSystem

/// A task that is made on one thread and cancelled on another.
final class TaskBox: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let workers: WorkerPool
    private let state = Locked(State())

    init(workers: WorkerPool) { self.workers = workers }

    func start(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }

    /// Cancels the task on a worker, because its cancellation handlers are host code.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        if let task { workers.submit { task.cancel() } }
    }
}
#endif
