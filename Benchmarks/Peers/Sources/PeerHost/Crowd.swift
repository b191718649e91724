import Dispatch
import Synchronization

/// The threads of the host: 8 that are held on queues, 8 for the workload, the ticker, and idle ones.
final class Crowd: Sendable {
    let workload = Workload(workers: 8)
    let ticker = Ticker()
    /// Nobody opens these.
    private let gate = DispatchSemaphore(value: 0)
    private let bed = DispatchSemaphore(value: 0)
    private let resized = Atomic<Int>(0)

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - threads: How many there are to be, with the main thread.
    ///   - manager: Whose queues are held.
    init(threads: Int, manager: PhotoManager) {
        for queue in manager.queues { hold(queue) }
        workload.start()
        let ticker = ticker
        HostThread.start { ticker.run() }
        let others = 1 + manager.queues.count + workload.workers + 1
        for _ in 0..<max(0, threads - others) { HostThread.start { [self] in idle() } }
    }

    private func hold(_ queue: DispatchQueue) {
        queue.async { [self] in waitInQueue() }
        for item in 1...16 { queue.async { [self] in resize(item) } }
    }

    // What follows a wait keeps it from being the last thing that its function does: a frame each.

    @inline(never) private func waitInQueue() {
        gate.wait()
        resize(0)
    }

    // Not as the one above, or the optimiser makes one function of the two, and their stacks are the same.
    @inline(never) private func idle() {
        while true { bed.wait() }
    }

    private func resize(_ item: Int) { resized.wrappingAdd(item, ordering: .relaxed) }
}
