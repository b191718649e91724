#if DEBUG
import Dispatch
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

/// A queue whose items wait until they are let go.
private final class HungQueue: Sendable {
    let queue: DispatchQueue
    private let gate = DispatchSemaphore(value: 0)

    init(_ label: String, attributes: DispatchQueue.Attributes = []) {
        queue = DispatchQueue(label: label, attributes: attributes)
        queue.async(flags: .barrier) { [gate] in gate.wait() }
    }

    func letGo() { gate.signal() }
}

private final class Number: Sendable {
    private let value = Locked(0)
    var now: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}

struct WorkerPoolTests {
    private static func soon(_ milliseconds: Int) -> MonotonicTime {
        .now.advanced(by: .milliseconds(milliseconds))
    }

    private static func isCancelled(_ outcome: HostCall<Int>.Outcome) -> Bool {
        if case .cancelled = outcome { return true }
        return false
    }

    private static func value(_ outcome: HostCall<Int>.Outcome) -> Int? {
        if case .finished(let value) = outcome { return value }
        return nil
    }

    private static func reading(
        _ owner: Owner, in workers: WorkerPool, milliseconds: Int = 30_000,
        _ number: Number? = nil
    ) -> HostCall<Int> {
        HostCall.start(
            on: owner, .read, workers: workers, until: soon(milliseconds)
        ) {
            number?.add()
            return 42
        }
    }

    @Test("a queue that hangs costs two threads at most, however often it is asked")
    func hungQueue() throws {
        let workers = WorkerPool(limit: 8)
        let hung = HungQueue("test.hung", attributes: .concurrent)
        let number = Number()
        for _ in 0..<200 {
            let call = Self.reading(.queue(hung.queue), in: workers, number)
            #expect(Self.isCancelled(call.outcome(until: .now)))
        }
        // Two that hang, the reserve, and one that was made before the reserve had come to rest.
        try waitUntil("four threads are left at most") { workers.counts.threads <= 4 }
        let free = DispatchQueue(label: "test.free")
        let other = Self.reading(.queue(free), in: workers)
        #expect(Self.value(other.outcome(until: Self.soon(30_000))) == 42)

        // Once it continues, no reading whose caller has gone is run, and the next one is.
        hung.letGo()
        let later = Self.reading(.queue(hung.queue), in: workers)
        #expect(Self.value(later.outcome(until: Self.soon(30_000))) == 42)
        #expect(number.now == 0)
        workers.close()
    }

    @Test("the worker that was made first is the one in reserve")
    func firstStays() throws {
        let workers = WorkerPool(limit: 4)
        let threads = Locked<[Int64]>([])
        let gates = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        for (index, gate) in gates.enumerated() {
            try waitUntil("one is in reserve, or the first works") {
                workers.counts == (1, index == 0 ? 1 : 0)
            }
            workers.submit {
                threads.withLock { $0.append(NativeThread.currentID) }
                gate.wait()
            }
            try waitUntil("it works") { threads.withLock { $0.count } == index + 1 }
        }
        gates[1].signal()
        try waitUntil("the second rests") { workers.counts == (2, 1) }
        gates[0].signal()
        try waitUntil("one is left") { workers.counts == (1, 1) }
        workers.submit { threads.withLock { $0.append(NativeThread.currentID) } }
        try waitUntil("it works") { threads.withLock { $0.count } == 3 }
        let all = threads.withLock { $0 }
        #expect(all[0] != all[1])
        #expect(all[2] == all[0])
        workers.close()
    }

    @Test("with every worker hung another queue is read on Dispatch's threads")
    func hungWorkers() throws {
        let workers = WorkerPool(limit: 4)
        let hung = (0..<6).map { HungQueue("test.hung.\($0)") }
        let calls = hung.map { Self.reading(.queue($0.queue), in: workers) }
        try waitUntil("every worker hangs") {
            workers.counts.threads == 4 && workers.counts.idle == 0
        }
        for call in calls { #expect(Self.isCancelled(call.outcome(until: .now))) }
        let free = DispatchQueue(label: "test.free")
        let other = Self.reading(.queue(free), in: workers)
        #expect(Self.value(other.outcome(until: Self.soon(30_000))) == 42)
        for queue in hung { queue.letGo() }
        workers.close()
    }

    @Test("calls that wait behind one of the same owner are run in their order")
    func order() {
        let workers = WorkerPool(limit: 4)
        let hung = HungQueue("test.order")
        let number = Number()
        let calls = (0..<5).map { _ in
            HostCall.start(
                on: .queue(hung.queue), .write, workers: workers,
                until: Self.soon(30_000)
            ) {
                number.add()
                return number.now
            }
        }
        hung.letGo()
        let results = calls.map { Self.value($0.outcome(until: Self.soon(30_000))) }
        #expect(results == [1, 2, 3, 4, 5])
        workers.close()
    }

    @Test("a lock that hangs costs one thread, and another one is taken")
    func hungLock() throws {
        let workers = WorkerPool(limit: 4)
        let gate = DispatchSemaphore(value: 0)
        let hung = Owner.lock(
            HostLock { body in
                gate.wait()
                body()
            })
        for _ in 0..<50 {
            let call = Self.reading(hung, in: workers)
            #expect(Self.isCancelled(call.outcome(until: .now)))
        }
        try waitUntil("two threads are left at most") { workers.counts.threads <= 2 }
        let other = Self.reading(.lock(HostLock { $0() }), in: workers)
        #expect(Self.value(other.outcome(until: Self.soon(30_000))) == 42)
        gate.signal()
        workers.close()
    }

    private actor Busy {
        func hang(_ gate: DispatchSemaphore, _ begun: DispatchSemaphore) {
            begun.signal()
            gate.wait()
        }
    }

    // On a thread of its own: the actor holds one of the cooperative pool's, and there may be
    // no second one.
    @Test("an actor that hangs keeps one place, and no thread after the deadline")
    func hungActor() async throws {
        let gate = DispatchSemaphore(value: 0)
        let busy = Busy()
        let results = try await withCheckedThrowingContinuation { continuation in
            do {
                try NativeThread.start(name: "hung-actor") {
                    continuation.resume(with: Result { try Self.askHungActor(busy, gate) })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(results.cancelled == 20)
        #expect(results.later == 42)
    }

    private static func askHungActor(
        _ busy: Busy, _ gate: DispatchSemaphore
    ) throws -> (cancelled: Int, later: Int?) {
        let workers = WorkerPool(limit: 4)
        defer { workers.close() }
        let begun = DispatchSemaphore(value: 0)
        Task.detached { await busy.hang(gate, begun) }
        begun.wait()
        let owner = Owner.actor(WeakActor(busy))
        let cancelled = (0..<20).count { _ in
            isCancelled(reading(owner, in: workers, milliseconds: 10).outcome(until: soon(10)))
        }
        let isFree = Result {
            try waitUntil("no thread is kept") { workers.counts.threads == workers.counts.idle }
        }
        gate.signal()
        try isFree.get()
        let later = reading(owner, in: workers)
        return (cancelled, value(later.outcome(until: soon(30_000))))
    }
}
#endif
