import Dispatch
import Synchronization

/// Threads that wait for work and tasks that wait for answers, as those of a service that has nothing to do:
/// all that they wait for is in the hands of a timer.
final class HostFeed: Sendable {
    private let work: [DispatchSemaphore]
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    // Kept and never used again.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer

    init(consumers: Int, clients: Int) {
        work = (0..<consumers).map { _ in DispatchSemaphore(value: 0) }
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "com.telltale.feed"))
        timer.schedule(deadline: .now() + 3600, repeating: 3600)
        timer.setEventHandler { [self] in give() }
        timer.activate()
        for semaphore in work {
            HostThread.start(stackBytes: 128 << 10) { while true { semaphore.wait() } }
        }
        for number in 0..<clients {
            Task(name: "client-\(number)") { while true { await next() } }
        }
    }

    private func next() async {
        await withCheckedContinuation { answer in waiting.withLock { $0.append(answer) } }
    }

    private func give() {
        for semaphore in work { semaphore.signal() }
        let due = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for answer in due { answer.resume() }
    }
}
