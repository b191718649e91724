#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc
import Synchronization
import TelltaleSystem

/// The offsets at which locks record their owner. Covers the locks of glibc 2.36 (`struct
/// __pthread_mutex_s`, `struct __pthread_rwlock_arch_t`) and priority-inheriting locks, whose word is
/// defined by the kernel (`FUTEX_TID_MASK`); `Mutex` of swift-6.3.1 is one of these.
package struct LockLayout: CalibratedLayout {
    package enum Part: String, CaseIterable, Sendable {
        case mutexes = "holders of mutexes"
        case readerWriterLocks = "holders of read-write locks"
        case inheritingLocks = "holders of Swift's Mutex"
        case streams = "holders of the locks of stdio"
    }

    package static let subject = "locks"
    package static let essential: Set<Part> = [.mutexes, .readerWriterLocks, .inheritingLocks]
    package static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.locks }

    package var failures: [Part: LayoutFailure] = [:]
    /// The offsets in a mutex of its futex word, its owner's id, its user count and its kind.
    var mutexWord: UInt = 0
    var mutexOwner: UInt = 8
    var mutexUsers: UInt = 12
    var mutexKind: UInt = 16
    /// The bits that a mutex kind may have (nptl/pthreadP.h), and the bit of a process-shared mutex.
    var mutexKinds: UInt32 = 0x3F3
    var mutexShared: UInt32 = 0x80
    /// The value of a mutex's word while threads are waiting.
    var mutexContended: UInt32 = 2
    /// The offsets in a read-write lock of the futex words of readers and of writers, and of its writer's
    /// id.
    var readersWord: UInt = 8
    var writersWord: UInt = 12
    var writer: UInt = 24
    /// The offset of the flag of a process-shared lock.
    var lockShared: UInt = 28
    /// The bit of the lock's first word that marks a writer's phase, and the shift of its reader count.
    var writePhase: UInt32 = 1
    var readersShift: UInt32 = 3
    /// The maximum value of the futex words, and the value while a writer waits for readers to leave.
    var mostPhase: UInt32 = 3
    var emptyPhase: UInt32 = 2
    /// The offset in a stream's lock of its owner's thread pointer.
    var streamOwner: UInt = 8
    /// The bits of a priority-inheriting lock's word that hold its owner's id.
    var ownerMask: UInt32 = 0x3FFF_FFFF

    package init() {}

    /// The owner recorded in a priority-inheriting lock's word.
    func owner(in word: UInt32) -> Int32? {
        let id = word & ownerMask
        return id == 0 ? nil : Int32(bitPattern: id)
    }

    package mutating func selfTest() {
        let me = Int32(truncatingIfNeeded: NativeThread.currentID)
        do throws(SystemError) {
            let sleeper = try SleepingThread()
            expect(mutex(me, sleeper), .mutexes, "a mutex of our own was not read back")
            expect(
                readerWriterLock(me, sleeper), .readerWriterLocks,
                "a read-write lock of our own was not read back")
            expect(
                inheritingLock(me, sleeper), .inheritingLocks,
                "a Mutex of our own was not read back")
            expect(
                stream(sleeper), .streams, "the lock of a stream of our own was not read back")
        } catch {
            self = .off("there was no thread to try it with", isPassing: true)
        }
    }

    /// Memory used by the C library. It is leaked if a thread is still waiting on it.
    private struct Lock<Value>: @unchecked Sendable {
        // Only the C library reads and writes this memory.
        let pointer: UnsafeMutablePointer<Value>
        var address: UInt { UInt(bitPattern: pointer) }

        init(_ value: Value) {
            pointer = .allocate(capacity: 1)
            pointer.initialize(to: value)
        }

        func id(at offset: UInt) -> Int32? {
            GuardedMemory.load(Int32.self, at: address &+ offset)
        }
    }

    private func mutex(_ me: Int32, _ sleeper: SleepingThread) -> SleepingThread.Outcome {
        let lock = Lock(pthread_mutex_t())
        guard pthread_mutex_init(lock.pointer, nil) == 0, lock.id(at: mutexOwner) == 0,
            pthread_mutex_lock(lock.pointer) == 0, lock.id(at: mutexUsers) == 1,
            lock.id(at: mutexKind) == 0
        else { return .otherwise }
        let held = lock.id(at: mutexOwner)
        let outcome = sleeper.sleep {
            pthread_mutex_lock(lock.pointer)
            pthread_mutex_unlock(lock.pointer)
        } until: {
            $0.address == lock.address &+ mutexWord && $0.expected == mutexContended
        }
        pthread_mutex_unlock(lock.pointer)
        guard sleeper.hasEnded() else { return .late }
        let isFree = lock.id(at: mutexOwner) == 0
        pthread_mutex_destroy(lock.pointer)
        lock.pointer.deallocate()
        return held == me && isFree ? outcome : .otherwise
    }

    private func readerWriterLock(_ me: Int32, _ sleeper: SleepingThread)
        -> SleepingThread.Outcome
    {
        let lock = Lock(pthread_rwlock_t())
        guard pthread_rwlock_init(lock.pointer, nil) == 0, lock.id(at: writer) == 0 else {
            return .otherwise
        }
        func waiter(at word: UInt, _ body: @escaping @Sendable () -> Void)
            -> SleepingThread.Outcome
        {
            guard pthread_rwlock_wrlock(lock.pointer) == 0 else { return .otherwise }
            let held = lock.id(at: writer)
            let outcome = sleeper.sleep {
                body()
                pthread_rwlock_unlock(lock.pointer)
            } until: {
                $0.address == lock.address &+ word
            }
            pthread_rwlock_unlock(lock.pointer)
            guard sleeper.hasEnded() else { return .late }
            return held == me ? outcome : .otherwise
        }
        let reader = waiter(at: readersWord) { pthread_rwlock_rdlock(lock.pointer) }
        guard reader == .seen else { return reader }
        let ofWriter = waiter(at: writersWord) { pthread_rwlock_wrlock(lock.pointer) }
        guard ofWriter == .seen else { return ofWriter }
        // A writer that waits for a reader: readers are only counted, not recorded.
        guard pthread_rwlock_rdlock(lock.pointer) == 0 else { return .otherwise }
        let state = UInt32(bitPattern: lock.id(at: 0) ?? 0)
        let outcome = sleeper.sleep {
            pthread_rwlock_wrlock(lock.pointer)
            pthread_rwlock_unlock(lock.pointer)
        } until: {
            $0.address == lock.address &+ readersWord && $0.expected == emptyPhase
        }
        pthread_rwlock_unlock(lock.pointer)
        guard sleeper.hasEnded() else { return .late }
        guard state == 1 << readersShift else { return .otherwise }
        let isFree = lock.id(at: writer) == 0
        pthread_rwlock_destroy(lock.pointer)
        lock.pointer.deallocate()
        return isFree ? outcome : .otherwise
    }

    /// Tests a stream in memory, which has no descriptor.
    private func stream(_ sleeper: SleepingThread) -> SleepingThread.Outcome {
        let text = Lock<UnsafeMutablePointer<CChar>?>(nil)
        let size = Lock(0)
        guard let made = open_memstream(text.pointer, size.pointer) else { return .otherwise }
        nonisolated(unsafe) let stream = made  // it has a lock of its own
        let lock = ctelltale_stream_lock(stream)
        func owner() -> UInt? { GuardedMemory.load(UInt.self, at: lock &+ streamOwner) }
        flockfile(stream)
        let held = owner()
        let outcome = sleeper.sleep {
            flockfile(stream)
            funlockfile(stream)
        } until: {
            $0.address == lock && $0.expected == mutexContended
        }
        funlockfile(stream)
        guard sleeper.hasEnded() else { return .late }
        let isFree = owner() == 0
        fclose(stream)
        free(text.pointer.pointee)
        text.pointer.deallocate()
        size.pointer.deallocate()
        return held == UInt(pthread_self()) && isFree ? outcome : .otherwise
    }

    private final class Box: Sendable { let mutex = Mutex<UInt32>(0) }

    private func inheritingLock(_ me: Int32, _ sleeper: SleepingThread) -> SleepingThread.Outcome {
        let box = Box()
        // A Swift object's header is two words; the lock's word is the first after it.
        let lock = UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque()) &+ 16
        func word() -> UInt32? { GuardedMemory.load(UInt32.self, at: lock) }
        guard word() == 0 else { return .otherwise }
        let (held, outcome) = box.mutex.withLock { _ in
            let held = word()
            let outcome = sleeper.sleep {
                box.mutex.withLock { _ in }
            } until: {
                // The kernel has set the waiters bit.
                $0.address == lock && word() != held && owner(in: word() ?? 0) == me
            }
            return (held, outcome)
        }
        guard sleeper.hasEnded() else { return .late }
        return owner(in: held ?? 0) == me && word() == 0 ? outcome : .otherwise
    }
}
#endif
