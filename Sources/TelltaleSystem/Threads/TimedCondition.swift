#if TELLTALE_COMPILED
import Glibc

/// A value under a lock, with a condition that is waited for until a moment of the monotonic clock.
///
/// `Synchronization.Mutex` has no condition, and a dispatch semaphore's wait follows the wall clock or
/// needs Dispatch; this is the C library's pair. Nothing of the host may run under the lock.
package final class TimedCondition<Value>: @unchecked Sendable {
    // Guards `value`; both live on the heap since the C library keeps their addresses.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` under the lock and wakes everyone who waits.
    package func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// Runs `body` under the lock and wakes nobody: for what changes nothing that is waited for. A
    /// thread that is woken for nothing costs its process two switches.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Wakes everyone who waits, for what ``withLock(_:)`` changed.
    package func wake() { pthread_cond_broadcast(condition) }

    /// Waits until `body` gives a result; nil if it gave none until `deadline`.
    package func wait<Result>(
        until deadline: MonotonicTime, for body: (inout Value) -> Result?
    ) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            if deadline == .distantFuture {
                _ = ForkGate.waiting { pthread_cond_wait(condition, mutex) }
                continue
            }
            let now = MonotonicTime.now
            guard now < deadline else { return nil }
            var moment = timespec(nanoseconds: deadline.nanoseconds)
            _ = ForkGate.waiting { pthread_cond_timedwait(condition, mutex, &moment) }
        }
    }
}

extension timespec {
    fileprivate init(nanoseconds: UInt64) {
        self.init(
            tv_sec: time_t(clamping: nanoseconds / 1_000_000_000),
            tv_nsec: Int(clamping: nanoseconds % 1_000_000_000))
    }
}
#endif
