#if DEBUG
import Dispatch
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

/// Threads that aren't the pool's take places in a bulkhead of its own.
@Suite(.timeLimit(.minutes(2)))
struct PlaceGateTests {
    private final class Room: @unchecked Sendable {
        // Guarded by nothing but the place.
        var inside = 0
        var most = 0
        var turns = 0
    }

    private static let owner = DispatchQueue(label: "test.places")

    private static func bulkhead() throws -> Bulkhead {
        try #require(Bulkhead(.queue(owner), .read))
    }

    private static func later(_ milliseconds: Int = 30_000) -> MonotonicTime {
        .now.advanced(by: .milliseconds(milliseconds))
    }

    @Test("many threads have a place of one in turn, and none is left waiting")
    func turns() throws {
        let workers = WorkerPool(limit: 4)
        defer { workers.close() }
        let bulkhead = try Self.bulkhead()
        let room = Room()
        let (threads, rounds) = (8, 2_000)
        let failed = Locked(0)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<rounds {
                guard workers.enter(bulkhead, until: Self.later()) else {
                    failed.withLock { $0 += 1 }
                    continue
                }
                room.inside += 1
                room.most = max(room.most, room.inside)
                room.turns += 1
                room.inside -= 1
                workers.leave(bulkhead)
            }
        }
        #expect(failed.withLock { $0 } == 0)
        #expect(room.most == 1)
        #expect(room.turns == threads * rounds)
    }

    @Test("one that has waited for long enough goes, and takes nothing with it")
    func late() throws {
        let workers = WorkerPool(limit: 4)
        defer { workers.close() }
        let bulkhead = try Self.bulkhead()
        #expect(workers.enter(bulkhead, until: .now))
        for _ in 0..<50 { #expect(!workers.enter(bulkhead, until: Self.later(1))) }
        // A worker's job comes in between: it has been in line for longer.
        let call = HostCall.start(
            on: .queue(Self.owner), .read, in: bulkhead, workers: workers, until: Self.later()
        ) { 42 }
        #expect(!workers.enter(bulkhead, until: Self.later(1)))
        workers.leave(bulkhead)
        guard case .finished(42) = call.outcome(until: Self.later()) else {
            Issue.record("the worker's job did not run")
            return
        }
        #expect(workers.enter(bulkhead, until: Self.later()))
        workers.leave(bulkhead)
        #expect(workers.enter(bulkhead, until: .now))
        workers.leave(bulkhead)
    }

    @Test("one that waits is called when the place is free")
    func called() throws {
        let workers = WorkerPool(limit: 4)
        defer { workers.close() }
        let bulkhead = try Self.bulkhead()
        #expect(workers.enter(bulkhead, until: .now))
        let isIn = TimedCondition(false)
        try NativeThread.start(name: "waits", stackBytes: nil, isLasting: false) {
            let has = workers.enter(bulkhead, until: Self.later())
            isIn.update { $0 = has }
            workers.leave(bulkhead)
        }
        try waitUntil("it waits at the gate") { workers.hasSomebodyAtGate(of: bulkhead) }
        workers.leave(bulkhead)
        #expect(isIn.wait(until: Self.later()) { $0 ? true : nil } == true)
    }
}
#endif
