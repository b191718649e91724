import Dispatch
import Foundation
import Synchronization

/// The objects that parked threads wait for, and their holders: one thread for both locks, one item
/// on the queue, one job of the actor. None of them is ever released.
public final class Holder: @unchecked Sendable {  // all that changes guards itself
    let semaphore = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "test.parked")
    let lock = NSLock()
    let mutex = Mutex(0)
    let vault = Vault()
    /// A pipe without a writer.
    let descriptor: Int32
    let epoll: Int32
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let guardian = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    fileprivate let never = DispatchSemaphore(value: 0)
    private let held = Mutex<Set<String>>([])

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        descriptor = ends[0]
        epoll = Epoll.make(watching: ends[0])
        pthread_cond_init(condition, nil)
        pthread_mutex_init(guardian, nil)
    }

    /// The last call of the chain that waits for the condition.
    @inline(never)
    func waitForCondition(_ spot: Spot) -> Int32 {
        pthread_mutex_lock(guardian)
        let code = pthread_cond_wait(condition, spot.blocking().holder.guardian)
        pthread_mutex_unlock(guardian)
        return code
    }

    /// Has a thread take the object that a kind of thread waits for, once.
    ///
    /// - Returns: The holder; `nil` if none is needed, or if it is held already.
    func take(for kind: String) -> Spot? {
        guard ["sync", "nslock", "mutex", "actor"].contains(kind),
            held.withLock({ $0.insert(kind).inserted })
        else { return nil }
        let spot = Spot(0, self)
        switch kind {
        case "sync": queue.async { self.holdQueue(spot) }
        case "nslock": Thread.detachNewThread { self.holdLock(spot) }
        case "mutex": Thread.detachNewThread { self.holdMutex(spot) }
        default:
            let vault = vault
            Task.detached(name: "parked-holder") { await vault.holdActor(spot) }
        }
        return spot
    }

    @inline(never)
    private func holdQueue(_ spot: Spot) {
        spot.blocking().holder.never.wait()
    }

    @inline(never)
    private func holdLock(_ spot: Spot) {
        lock.withLock {
            spot.blocking().holder.never.wait()
        }
    }

    @inline(never)
    private func holdMutex(_ spot: Spot) {
        mutex.withLock { _ in
            spot.blocking().holder.never.wait()
        }
    }
}

/// An actor whose first job never ends.
actor Vault {
    var opened = 0

    @inline(never)
    func holdActor(_ spot: Spot) {
        spot.blocking().holder.never.wait()
        opened += 1
    }

    @inline(never)
    func enterActor(_ spot: Spot) -> Int {
        opened += spot.number
        return opened
    }
}
