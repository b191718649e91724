import Dispatch
import Foundation
import Synchronization

extension Shape {
    /// Locks that go from thread to thread, and some that will never be released.
    static let locks = [
        Shape("contended-lock") {
            let lock = NSLock()
            for _ in 0..<4 {
                onThread { while true { lock.withLock { pause(microseconds: 200) } } }
            }
        },
        Shape("lock-taken-twice") {
            let line = DispatchQueue(label: "shape.line")
            onQueue(line) {
                let lock = NSLock()
                lock.withLock { LockShapes.takeAgain(lock) }
            }
            standInLine(line)
        },
        Shape("lock-of-ended-thread") {
            let lock = PlainLock()
            let line = DispatchQueue(label: "shape.line")
            JoinedThread.start { lock.lock() }.join()
            onQueue(line) { LockShapes.takeAbandoned(lock) }
            standInLine(line)
        },
        Shape("three-locks-in-circle") {
            let locks = (0..<3).map { _ in PlainLock() }
            for index in 0..<3 {
                onThread {
                    locks[index].lock()
                    // Until each has its first.
                    settle()
                    LockShapes.takeSecond(locks[(index + 1) % 3])
                }
            }
        },
        // The kernel notices it, and glibc has the last one sleep for good.
        Shape("inheriting-locks-in-circle") {
            let locks = (0..<2).map { _ in PlainLock(inherits: true) }
            for index in 0..<2 {
                onThread {
                    locks[index].lock()
                    settle()
                    LockShapes.takeInheriting(locks[1 - index])
                }
            }
        },
        Shape("writer-waits-for-queue-of-reader") {
            let lock = ReadWriteLock()
            let line = DispatchQueue(label: "shape.line")
            onQueue(line) {
                settle()
                LockShapes.readLocked(lock)
            }
            onThread {
                lock.write()
                settle()
                LockShapes.syncUnderWriteLock(line)
            }
        },
        Shape("threads-join-in-circle") {
            // With two threads glibc would notice it.
            let circle = JoinCircle()
            circle.start()
        },
        // Each wait ends by itself.
        Shape("timed-read-write-locks-in-circle") {
            let locks = (0..<2).map { _ in ReadWriteLock() }
            for index in 0..<2 {
                onThread {
                    locks[index].write()
                    settle()
                    locks[1 - index].write(within: 900)
                }
            }
        },
        Shape("initialisers-in-circle") {
            let line = DispatchQueue(label: "shape.line")
            onQueue(line) {
                settle()
                LockShapes.useTable()
            }
            onThread { LockShapes.fillTable(on: line) }
        },
    ]
}

private enum LockShapes {
    private static let lineOfTable = Mutex<DispatchQueue?>(nil)
    // A global whose initialiser needs the queue, and a queue whose item needs the global.
    private static let table: Int = {
        settle()
        return syncInInitialiser(lineOfTable.withLock { $0 })
    }()

    static func fillTable(on line: DispatchQueue) {
        lineOfTable.withLock { $0 = line }
        _ = table
    }

    static func syncInInitialiser(_ line: DispatchQueue?) -> Int {
        line?.sync { 1 } ?? 0  // blocks: syncInInitialiser
    }

    static func useTable() {
        _ = table  // blocks: useTable
    }

    static func takeAgain(_ lock: NSLock) {
        lock.lock()  // blocks: takeAgain
    }

    static func takeAbandoned(_ lock: PlainLock) {
        pthread_mutex_lock(lock.mutex)  // blocks: takeAbandoned
    }

    static func takeSecond(_ lock: PlainLock) {
        pthread_mutex_lock(lock.mutex)  // blocks: takeSecond
    }

    static func takeInheriting(_ lock: PlainLock) {
        pthread_mutex_lock(lock.mutex)  // blocks: takeInheriting
    }

    static func readLocked(_ lock: ReadWriteLock) {
        pthread_rwlock_rdlock(lock.lock)  // blocks: readLocked
    }

    static func syncUnderWriteLock(_ line: DispatchQueue) {
        line.sync {}  // blocks: syncUnderWriteLock
    }
}

/// A mutex of libc, without anything around it.
final class PlainLock: @unchecked Sendable {  // it is one
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(inherits: Bool = false) {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        if inherits { pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT)) }
        pthread_mutex_init(mutex, &attributes)
    }

    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }
}

/// A read-write lock of libc.
private final class ReadWriteLock: @unchecked Sendable {  // it is one
    let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() { pthread_rwlock_init(lock, nil) }

    func write() { pthread_rwlock_wrlock(lock) }

    func write(within seconds: Int) {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += seconds
        pthread_rwlock_timedwrlock(lock, &end)
    }
}

/// Three threads, each of which joins the next.
private final class JoinCircle: Sendable {
    private let threads = Mutex<[JoinedThread]>([])

    func start() {
        threads.withLock { threads in
            for index in 0..<3 {
                threads.append(JoinedThread.start { [self] in joinNeighbour(of: index) })
            }
        }
    }

    private func joinNeighbour(of index: Int) {
        let neighbour = threads.withLock { $0[(index + 1) % 3].thread }
        pthread_join(neighbour, nil)  // blocks: joinNeighbour
    }
}
