import Dispatch
import Synchronization

/// The objects that a host's threads and tasks wait for; the owner of this could end the waits.
final class HostWaits: Sendable {
    private struct Waits {
        var semaphores: [DispatchSemaphore] = []
        var continuations: [UnsafeContinuation<Void, Never>] = []
    }

    private let waits = Mutex(Waits())

    func add(_ semaphore: DispatchSemaphore) {
        waits.withLock { $0.semaphores.append(semaphore) }
    }

    func add(_ continuation: UnsafeContinuation<Void, Never>) {
        waits.withLock { $0.continuations.append(continuation) }
    }

    func endAll() {
        waits.withLock { waits in
            waits.semaphores.forEach { $0.signal() }
            waits.continuations.forEach { $0.resume() }
            waits = Waits()
        }
    }
}
