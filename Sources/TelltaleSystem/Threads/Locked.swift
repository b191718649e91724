#if TELLTALE_COMPILED
import Glibc

/// A value under a lock of the C library.
///
/// `Synchronization.Mutex` would do, but the thread sanitizer doesn't see it on Linux (it is a futex
/// inside the standard library, which isn't instrumented) and reports a race at every use: a real one
/// would be lost among them. Nothing of the host may run under the lock.
///
/// The value has a size: the place of an empty value is that of the object itself, and a change of
/// it would be a race with each thread that takes the lock, as that sanitizer sees it.
package class Locked<Value>: @unchecked Sendable {
    // Guards `value`; on the heap since the C library keeps its address.
    fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>
    fileprivate var value: Value

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package final func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Runs `body` under the lock unless it is held; `nil` if it is held.
    package final func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

/// A value under a lock, with a condition that is waited for until a moment of the monotonic clock.
///
/// A dispatch semaphore's wait follows the wall clock or needs Dispatch; this is the C library's
/// condition. Changes that no thread waits for are made in ``withLock(_:)``, which wakes no thread:
/// a thread that is woken for nothing costs its process two switches.
package final class TimedCondition<Value>: Locked<Value>, @unchecked Sendable {
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package override init(_ value: Value) {
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        super.init(value)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Runs `body` under the lock and wakes all waiting threads.
    package func update<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { wake() }
        return try withLock(body)
    }

    /// Wakes all waiting threads, for a change by ``withLock(_:)``.
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
