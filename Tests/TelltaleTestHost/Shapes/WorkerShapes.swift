import Dispatch
import Foundation

extension Shape {
    /// Threads that wait for work from other threads and queues.
    static let workers = [
        Shape("worker-pool-idle") {
            // Connecting clients bring them work.
            let pool = JobPool(workers: 4)
            let listener = Loopback.listener()
            onThread {
                while true {
                    let descriptor = accept(listener, nil, nil)
                    pool.submit { close(descriptor) }
                }
            }
        },
        Shape("consumers-on-condition") {
            let belt = Belt()
            onThread {
                while true {
                    Thread.sleep(forTimeInterval: 20)
                    belt.put()
                }
            }
            for _ in 0..<4 { onThread { while true { belt.take() } } }
        },
        Shape("bounded-buffer-slow-consumer") {
            let (room, full) = (DispatchSemaphore(value: 2), DispatchSemaphore(value: 0))
            let producing = DispatchQueue(label: "shape.producing")
            for _ in 0..<1000 {
                producing.async {
                    room.wait()
                    full.signal()
                }
            }
            onThread {
                while true {
                    full.wait()
                    Thread.sleep(forTimeInterval: 15)
                    room.signal()
                }
            }
        },
        Shape("joins-sleeping-thread") {
            let sleeper = JoinedThread.start { Thread.sleep(forTimeInterval: 900) }
            let closing = DispatchQueue(label: "shape.closing")
            onQueue(closing) { sleeper.join() }
        },
        // Near misses: the feeder has ended; each waits for the other; no thread was notified.
        Shape("feeder-thread-ended") {
            let jobs = DispatchSemaphore(value: 0)
            onThread { if getpid() == 0 { jobs.signal() } }
            let handling = DispatchQueue(label: "shape.handling")
            onQueue(handling) { WorkerShapes.waitForEndedFeeder(jobs) }
            standInLine(handling)
        },
        Shape("threads-wait-crosswise") {
            let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let handling = DispatchQueue(label: "shape.handling")
            onThread { WorkerShapes.waitForPartner(first, thenSignal: second) }
            onQueue(handling) { WorkerShapes.waitForPartner(second, thenSignal: first) }
            standInLine(handling)
        },
        Shape("condition-never-signalled") {
            let handling = DispatchQueue(label: "shape.handling")
            onQueue(handling) {
                let condition = NSCondition()
                condition.lock()
                WorkerShapes.waitForConditionNobodySignals(condition)
            }
            standInLine(handling)
        },
        Shape("semaphore-never-signalled") {
            let uploads = DispatchQueue(label: "shape.uploads")
            onQueue(uploads) {
                let slots = DispatchSemaphore(value: 0)
                WorkerShapes.waitForSlotNobodyGivesBack(slots)
            }
            standInLine(uploads)
        },
        // The same in a service that listens, has a timer and receives: none of them reaches it.
        Shape("semaphore-never-signalled-in-server") {
            let listener = Loopback.listener()
            onThread { while true { close(accept(listener, nil, nil)) } }
            startTimer(after: 0.5, every: 0.5) {}
            let uploads = DispatchQueue(label: "shape.uploads")
            onQueue(uploads) {
                let slots = DispatchSemaphore(value: 0)
                WorkerShapes.waitForSlotNobodyGivesBack(slots)
            }
            standInLine(uploads)
        },
        // Behind a number that may be nil stands the rest of an address that the memory had before.
        Shape("semaphore-never-signalled-behind-number") {
            let uploads = DispatchQueue(label: "shape.uploads")
            onQueue(uploads) {
                let (slots, address) = WorkerShapes.semaphoreAtRoundAddress()
                for _ in 0..<16 { Kept.keep(Measured(behindCount: address)) }
                WorkerShapes.waitForSlotNobodyGivesBack(slots)
            }
            standInLine(uploads)
        },
        Shape("worker-pool-waits-for-own-jobs") {
            let pool = JobPool(workers: 3)
            for _ in 0..<3 {
                pool.submit {
                    let done = DispatchSemaphore(value: 0)
                    // Until each worker has a job like this one.
                    settle()
                    pool.submit { done.signal() }
                    WorkerShapes.waitForJobOfSamePool(done)
                }
            }
            settle()
        },
    ]
}

private enum WorkerShapes {
    static func waitForEndedFeeder(_ jobs: DispatchSemaphore) {
        jobs.wait()  // blocks: waitForEndedFeeder
    }

    static func waitForPartner(
        _ mine: DispatchSemaphore, thenSignal other: DispatchSemaphore
    ) {
        mine.wait()  // blocks: waitForPartner
        other.signal()
    }

    static func waitForConditionNobodySignals(_ condition: NSCondition) {
        condition.wait()  // blocks: waitForConditionNobodySignals
    }

    static func waitForSlotNobodyGivesBack(_ slots: DispatchSemaphore) {
        slots.wait()  // blocks: waitForSlotNobodyGivesBack
    }

    /// One whose address ends in a zero byte, which is also what an `Int?` that is not nil ends in.
    static func semaphoreAtRoundAddress() -> (DispatchSemaphore, UInt) {
        var others: [DispatchSemaphore] = []
        while true {
            let semaphore = DispatchSemaphore(value: 0)
            // Swift's object has the C one behind its header.
            let inner = Unmanaged.passUnretained(semaphore).toOpaque()
                .load(fromByteOffset: 16, as: UInt.self)
            if inner & 0xFF == 0 { return (semaphore, inner) }
            others.append(semaphore)
        }
    }

    static func waitForJobOfSamePool(_ done: DispatchSemaphore) {
        done.wait()  // blocks: waitForJobOfSamePool
    }
}

private final class Measured {
    var count: Int? = 1

    /// As it comes to be where the allocator gives it memory that had this address.
    init(behindCount address: UInt) {
        let start = Unmanaged.passUnretained(self).toOpaque()
        for byte in 1..<8 {
            start.storeBytes(
                of: UInt8(truncatingIfNeeded: address >> (8 * byte)), toByteOffset: 24 + byte,
                as: UInt8.self)
        }
    }
}

/// The queue that consumers wait for on a condition.
private final class Belt: @unchecked Sendable {  // guarded by its condition
    private let condition = NSCondition()
    private var count = 0

    func put() {
        condition.lock()
        count += 1
        condition.signal()
        condition.unlock()
    }

    func take() {
        condition.lock()
        while count == 0 { condition.wait() }
        count -= 1
        condition.unlock()
    }
}

/// Blocking workers as services make them for themselves.
final class JobPool: @unchecked Sendable {  // guarded by its condition
    private let condition = NSCondition()
    private var jobs: [@Sendable () -> Void] = []

    init(workers: Int) {
        for _ in 0..<workers { onThread { [self] in while true { next()() } } }
    }

    func submit(_ job: @escaping @Sendable () -> Void) {
        condition.lock()
        jobs.append(job)
        condition.signal()
        condition.unlock()
    }

    private func next() -> @Sendable () -> Void {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty { condition.wait() }
        return jobs.removeFirst()
    }
}

/// A thread that can be joined, which those of Foundation can't.
final class JoinedThread: @unchecked Sendable {  // set once, before anybody can join
    private(set) var thread = pthread_t()

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ body: @escaping @Sendable () -> Void) -> JoinedThread {
        let joined = JoinedThread()
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        pthread_create(
            &joined.thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        return joined
    }

    func join() { pthread_join(thread, nil) }
}
