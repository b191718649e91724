#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

#if canImport(Glibc)
import Glibc
#endif

/// Who holds a lock, read from its word.
///
/// Checked against glibc 2.36 (`struct __pthread_mutex_s`: lock 0, owner 8; `struct
/// __pthread_rwlock_arch_t`: write phase's futex 8, writers' futex 12, writer 24), the kernel's
/// `FUTEX_TID_MASK` for locks that inherit priorities, among them `Mutex` of swift-6.3.1-RELEASE,
/// and libdispatch of the same release (a sync waiter's context: top queue 56, saved frame 80,
/// event 96, waiter 100; group's generation 52; semaphore's inner one 64).
struct LockLayout: Sendable {
    /// From a mutex's futex word to its owner's id.
    static let mutexOwner: UInt = 8
    /// From a read-write lock's two futex words back to its start, and on to its writer's id.
    static let readerWriterFutexes: [UInt] = [8, 12]
    static let readerWriterOwner: UInt = 24
    /// The bits of a futex word that hold a thread's id.
    static let owner: UInt32 = 0x3FFF_FFFF
    /// From a sync waiter's context to what it holds.
    static let syncQueue: UInt = 56
    static let syncFrame: UInt = 80
    static let syncEvent: UInt = 96
    static let syncWaiter: UInt = 100
    /// From a group to the word that its waiters sleep on.
    static let groupGeneration: UInt = 52
    /// From a semaphore to the word that its waiters sleep on.
    static let semaphoreWord: UInt = 64

    /// Why owners are not told; nil where they are.
    let reason: String?

    var isUsable: Bool { reason == nil }

    /// Tried once on locks of our own, which this thread holds.
    static let current = LockLayout(calibrating: ())

    init(reason: String?) { self.reason = reason }

    private init(calibrating: Void) {
        #if os(Linux)
        let me = Int32(truncatingIfNeeded: NativeThread.currentID)
        reason = Self.mutexProblem(me) ?? Self.swiftMutexProblem(me)
        #else
        reason = "locks are read on Linux only"
        #endif
    }

    #if os(Linux)
    private static func mutexProblem(_ me: Int32) -> String? {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { mutex.deallocate() }
        mutex.initialize(to: pthread_mutex_t())
        guard pthread_mutex_init(mutex, nil) == 0 else { return "no mutex could be made" }
        defer { pthread_mutex_destroy(mutex) }
        let address = UInt(bitPattern: mutex)
        func owner() -> Int32? {
            GuardedMemory.load(Int32.self, at: address &+ mutexOwner)
        }
        guard owner() == 0, pthread_mutex_lock(mutex) == 0 else {
            return "a mutex that nobody holds doesn't say so"
        }
        let held = owner()
        pthread_mutex_unlock(mutex)
        guard held == me, owner() == 0 else {
            return "a mutex doesn't say which thread holds it"
        }
        return nil
    }

    private static func swiftMutexProblem(_ me: Int32) -> String? {
        final class Box: Sendable { let mutex = Mutex<UInt32>(0) }
        let box = Box()
        let address = UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque())
        // A Swift object's header is two words; the lock's word is the first after it.
        func word() -> UInt32? { GuardedMemory.load(UInt32.self, at: address &+ 16) }
        guard word() == 0 else { return "a Mutex that nobody holds doesn't say so" }
        let held = box.mutex.withLock { _ in word() }
        guard let held, held & owner == UInt32(bitPattern: me), word() == 0 else {
            return "a Mutex doesn't say which thread holds it"
        }
        return nil
    }
    #endif
}
#endif
