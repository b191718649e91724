#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc
import Synchronization
import TelltaleSystem

/// Where a lock says who holds it: those of glibc 2.36 (`struct __pthread_mutex_s`, `struct
/// __pthread_rwlock_arch_t`), and those that inherit priorities, whose word is the kernel's
/// (`FUTEX_TID_MASK`), among them `Mutex` of swift-6.3.1.
struct LockLayout: CalibratedLayout {
    enum Part: String, CaseIterable, Sendable {
        case mutexes = "holders of mutexes"
        case readerWriterLocks = "holders of read-write locks"
        case inheritingLocks = "holders of Swift's Mutex"
        case streams = "holders of the locks of stdio"
    }

    static let subject = "locks"
    static let essential: Set<Part> = [.mutexes, .readerWriterLocks, .inheritingLocks]
    static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.locks }

    var failures: [Part: LayoutFailure] = [:]
    /// From a mutex to the word that its waiters sleep on, to its owner's id, to how many threads use it, and to
    /// its kind.
    var mutexWord: UInt = 0
    var mutexOwner: UInt = 8
    var mutexUsers: UInt = 12
    var mutexKind: UInt = 16
    /// The bits that a kind may have (nptl/pthreadP.h), and the one of a mutex that other processes share.
    var mutexKinds: UInt32 = 0x3F3
    var mutexShared: UInt32 = 0x80
    /// What a mutex's word is where somebody waits.
    var mutexContended: UInt32 = 2
    /// From a read-write lock to the words that readers and writers sleep on, and to its writer's id.
    var readersWord: UInt = 8
    var writersWord: UInt = 12
    var writer: UInt = 24
    /// To whether other processes share it.
    var lockShared: UInt = 28
    /// The bit of its first word that marks a writer's phase, and the bit from which on readers are counted.
    var writePhase: UInt32 = 1
    var readersShift: UInt32 = 3
    /// The largest value of the words that are slept on, and the value while a writer waits for readers to leave.
    var mostPhase: UInt32 = 3
    var emptyPhase: UInt32 = 2
    /// From the lock of a stream to the thread pointer of its owner.
    var streamOwner: UInt = 8
    /// The bits of an inheriting lock's word that hold its owner's id.
    var ownerMask: UInt32 = 0x3FFF_FFFF

    /// The owner that an inheriting lock's word says.
    func owner(in word: UInt32) -> Int32? {
        let id = word & ownerMask
        return id == 0 ? nil : Int32(bitPattern: id)
    }

    mutating func selfTest() {
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

    /// Memory of the C library's; it stays where somebody still waits for it.
    private struct Lock<Value>: @unchecked Sendable {
        // Only the C library reads and writes what is there.
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
        // Behind a reader, who is only counted.
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

    /// A stream in memory, which has no descriptor.
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
                // The kernel has marked it as waited for.
                $0.address == lock && word() != held && owner(in: word() ?? 0) == me
            }
            return (held, outcome)
        }
        guard sleeper.hasEnded() else { return .late }
        return owner(in: held ?? 0) == me && word() == 0 ? outcome : .otherwise
    }
}
#endif
