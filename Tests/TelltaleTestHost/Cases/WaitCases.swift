import Dispatch
import Foundation
import Synchronization

extension Shape {
    /// Faults within the process that a capture of queues and tasks alone doesn't show.
    static let waitCases = [
        Shape("case-lazy-globals-in-circle") {
            onThread { print(LeftHalf.value) }
            onThread { print(RightHalf.value) }
            Thread.sleep(forTimeInterval: 0.6)
        },
        Shape("case-pool-of-permits") {
            let pool = PermitPool(permits: 2)
            for _ in 0..<4 { Task { await WaitCases.writeAudit(pool) } }
            Thread.sleep(forTimeInterval: 0.8)
        },
        Shape("case-permits-not-given-back") {
            let pool = PermitPool(permits: 2)
            Kept.keep(pool)
            for _ in 0..<2 { Task { await pool.take() } }
            settle()
            for _ in 0..<5 { Task { await WaitCases.serveRequest(pool) } }
            settle()
        },
        Shape("case-handler-computes") {
            LoopShapes.block(PromiseLoop(.level)) { _ in WaitCases.countForEver() }
        },
        Shape("case-promises-not-completed") {
            let loop = SelectableEventLoop()
            onThread { loop.run() }
            Kept.keep(loop)
            for id in 1...6 { loop.makePromise(UInt(id)) }
            settle()
        },
        Shape("case-more-promises-than-looked-at") {
            let loop = SelectableEventLoop()
            onThread { loop.run() }
            Kept.keep(loop)
            for id in 1...5000 { loop.makePromise(UInt(id)) }
            settle()
        },
        Shape("case-pool-of-package-exhausted") {
            let pool = NIOThreadPool(threads: 2)
            Kept.keep(pool)
            let tape = DispatchSemaphore(value: 0)
            Kept.keep(tape)
            for _ in 0..<2 { pool.submit { WaitCases.readTape(tape) } }
            settle()
            for _ in 0..<6 { pool.submit {} }
        },
        Shape("case-log-waits-for-pool-that-waits-for-log") {
            let log = DispatchQueue(label: "case.log")
            let cores = ProcessInfo.processInfo.activeProcessorCount
            let begun = DispatchSemaphore(value: 0)
            log.async {
                // A thread that isn't taken yet would run the flush.
                for _ in 0..<cores { begun.wait() }
                WaitCases.flushByTask()
            }
            for _ in 0..<cores {
                Task {
                    begun.signal()
                    WaitCases.logFromTask(log)
                }
            }
            settle()
        },
        Shape("case-read-lock-behind-waiting-writer") {
            let lock = FairLock()
            let isReading = DispatchSemaphore(value: 0)
            onThread { WaitCases.describeRoutes(lock, isReading) }
            isReading.wait()
            onThread { WaitCases.changeRoutes(lock) }
            Thread.sleep(forTimeInterval: 0.6)
        },
        Shape("case-head-polls") {
            let mounts = DispatchQueue(label: "case.mounts")
            onQueue(mounts) { WaitCases.waitUntilMounted() }
            standInLine(mounts, 50)
            settle()
        },
        Shape("case-head-asks-with-poll") {
            let mounts = DispatchQueue(label: "case.mounts")
            onQueue(mounts) { WaitCases.askMountByPoll() }
            standInLine(mounts, 50)
            settle()
        },
        Shape("case-head-sleeps-in-poll") {
            let mounts = DispatchQueue(label: "case.mounts")
            onQueue(mounts) { WaitCases.sleepInPoll() }
            standInLine(mounts, 50)
            settle()
        },
        Shape("case-asleep-with-a-lock") {
            let lock = NSLock()
            onThread { WaitCases.updateRates(lock) }
            settle()
            for _ in 0..<3 { onThread { WaitCases.readRates(lock) } }
            settle()
        },
        Shape("case-stream-nobody-feeds") {
            for _ in 0..<5 { Task { await WaitCases.followEvents() } }
            settle()
        },
        Shape("case-slow-leak") {
            let store = SessionStore()
            onThread { WaitCases.leakSlowly(into: store) }
        },
        Shape("case-cancelled-sleeps") {
            Task { await WaitCases.fetchForEver() }
            Thread.sleep(forTimeInterval: 3)
        },
        Shape("case-queue-gains-items") {
            let thumbnails = DispatchQueue(label: "case.thumbnails")
            onThread { WaitCases.requestForEver(thumbnails) }
            Thread.sleep(forTimeInterval: 1)
        },
    ]
}

private func pretendToWork() { Thread.sleep(forTimeInterval: 0.3) }

enum LeftHalf {
    static let value = makeLeft()

    static func makeLeft() -> Int {
        pretendToWork()
        return RightHalf.value + 1
    }
}

enum RightHalf {
    static let value = makeRight()

    static func makeRight() -> Int {
        pretendToWork()
        return LeftHalf.value + 1
    }
}

actor PermitPool {
    private var permits: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(permits: Int) { self.permits = permits }

    func take() async {
        if permits > 0 {
            permits -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
        if waiting.isEmpty { permits += 1 } else { waiting.removeFirst().resume() }
    }
}

final class FairLock: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() {
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        pthread_rwlockattr_setkind_np(
            &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        pthread_rwlock_init(lock, &attributes)
    }

    func read<Result>(_ body: () -> Result) -> Result {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return body()
    }

    func write(_ body: () -> Void) {
        pthread_rwlock_wrlock(lock)
        body()
        pthread_rwlock_unlock(lock)
    }
}

/// Sessions that end and are kept.
final class SessionStore: @unchecked Sendable {
    final class Session { let number = 1 }

    private var sessions: [Session] = []

    func open() { sessions.append(Session()) }
}

enum WaitCases {
    /// Too slow to be seen while `doctor` watches for a tenth of a second.
    static func leakSlowly(into store: SessionStore) {
        while true {
            store.open()
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    static let isMounted = Atomic(false)

    static func writeAudit(_ pool: PermitPool) async {
        await pool.take()
        try? await Task.sleep(for: .milliseconds(200))
        await appendToAudit(pool)
        await pool.giveBack()
    }

    static func appendToAudit(_ pool: PermitPool) async {
        await pool.take()
        await pool.giveBack()
    }

    static func serveRequest(_ pool: PermitPool) async {
        await pool.take()
        await pool.giveBack()
    }

    static func readTape(_ tape: DispatchSemaphore) { tape.wait() }

    static func countForEver() {
        var count = 0
        while !isMounted.load(ordering: .relaxed) { count &+= 1 }
        print(count)
    }

    static func flushByTask() {
        let done = DispatchSemaphore(value: 0)
        Task { done.signal() }
        done.wait()
    }

    static func logFromTask(_ log: DispatchQueue) { log.sync {} }

    static func describeRoutes(_ lock: FairLock, _ isReading: DispatchSemaphore) {
        lock.read {
            isReading.signal()
            pretendToWork()
            countRoutes(lock)
        }
    }

    static func countRoutes(_ lock: FairLock) { lock.read {} }

    static func changeRoutes(_ lock: FairLock) { lock.write {} }

    static func waitUntilMounted() {
        while !isMounted.load(ordering: .relaxed) { usleep(10_000) }
    }

    /// The descriptor never has anything to read.
    static func askMountByPoll() {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        var polled = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        while !isMounted.load(ordering: .relaxed) { poll(&polled, 1, 10) }
    }

    static func sleepInPoll() {
        while !isMounted.load(ordering: .relaxed) { poll(nil, 0, 10) }
    }

    /// Adds ten times as many items as are done.
    static func requestForEver(_ queue: DispatchQueue) {
        while true {
            queue.async { makeThumbnail() }
            usleep(10_000)
        }
    }

    static func makeThumbnail() { usleep(100_000) }

    static func updateRates(_ lock: NSLock) {
        BorderCases.nameThread("updater")
        lock.withLock { _ = sleep(100_000) }
    }

    static func readRates(_ lock: NSLock) { lock.withLock {} }

    static func followEvents() async {
        let (events, _) = AsyncStream.makeStream(of: Int.self)
        for await event in events { print(event) }
    }

    static func fetchForEver() async {
        for _ in 0..<20_000 { await fetchWithLimit() }
        while true {
            for _ in 0..<100 { await fetchWithLimit() }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    static func fetchWithLimit() async {
        let limit = Task { try await Task.sleep(for: .seconds(3600)) }
        // Cancelled before it sleeps, it would have no timer.
        await Task.yield()
        limit.cancel()
        _ = try? await limit.value
    }
}
