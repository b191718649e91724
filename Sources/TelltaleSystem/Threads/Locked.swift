#if TELLTALE_COMPILED
import Glibc

/// A value under a lock of the C library.
///
/// `Synchronization.Mutex` would do, but the thread sanitizer doesn't see it on Linux (it is a futex
/// inside the standard library, which isn't instrumented) and reports a race at every use: a real one
/// would be lost among them. Nothing of the host may run under the lock.
package final class Locked<Value>: @unchecked Sendable {
    // Guards `value`; on the heap since the C library keeps its address.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

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

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Runs `body` under the lock unless somebody holds it; nil if it is held.
    package func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
#endif
