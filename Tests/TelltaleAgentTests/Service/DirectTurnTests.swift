#if DEBUG
import Dispatch
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

@Suite("A turn that is taken by the thread of a connection", .timeLimit(.minutes(1)))
struct DirectTurnTests {
    private static let deadline = MonotonicTime.now.advanced(by: .seconds(60))

    /// Begins a turn on a thread of its own.
    private func begin(
        _ turn: DirectTurn, on queue: DispatchQueue, _ access: Owner.Access,
        until deadline: MonotonicTime, _ body: @escaping @Sendable () -> Int
    ) throws -> HostCall<Bool> {
        let end = HostCall<Bool>()
        #expect(end.begin())
        let workers = WorkerPool(limit: 2)
        try NativeThread.start(name: "test-turn") {
            let bulkhead = Bulkhead(.queue(queue), access) ?? .runLoop
            let outcome = turn.run(
                on: queue, access, in: bulkhead, of: workers, until: deadline, body)
            if case .done(7)? = outcome { end.finish(true) } else { end.finish(false) }
        }
        return end
    }

    private func isDone(_ end: HostCall<Bool>) -> Bool? {
        if case .finished(let isDone) = end.outcome(until: Self.deadline) { return isDone }
        return nil
    }

    @Test("what waits for its owner is another thread's, and never runs", arguments: [false, true])
    func waiting(isWriting: Bool) throws {
        let queue = DispatchQueue(label: "test.turn")
        let gate = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        let turn = DirectTurn()
        let hasRun = Locked(0)
        let end = try begin(turn, on: queue, isWriting ? .write : .read, until: Self.deadline) {
            hasRun.withLock { $0 += 1 }
            return 7
        }
        try waitUntil("it waits for longer than it should") { turn.isHeld }
        #expect(turn.takeOver(isEnding: false) == .unbegun)
        gate.signal()
        #expect(isDone(end) == false)
        #expect(hasRun.withLock { $0 } == 0)
        #expect(turn.isTakenOver)
    }

    @Test("what was begun is known to be so where it changes something", arguments: [false, true])
    func begun(isWriting: Bool) throws {
        let queue = DispatchQueue(label: "test.turn")
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let turn = DirectTurn()
        let end = try begin(turn, on: queue, isWriting ? .write : .read, until: .now) {
            begun.signal()
            gate.wait()
            return 7
        }
        begun.wait()
        try waitUntil("its grace is over") { turn.isHeld }
        #expect(turn.takeOver(isEnding: false) == (isWriting ? .begun : .unbegun))
        #expect(turn.takeOver(isEnding: true) == nil)
        gate.signal()
        #expect(isDone(end) == false)
    }

    @Test("what is written is written alone")
    func barrier() throws {
        let queue = DispatchQueue(label: "test.turn", attributes: .concurrent)
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        queue.async {
            begun.signal()
            gate.wait()
        }
        begun.wait()
        let reading = DirectTurn()
        #expect(isDone(try begin(reading, on: queue, .read, until: Self.deadline) { 7 }) == true)
        let writing = DirectTurn()
        let end = try begin(writing, on: queue, .write, until: Self.deadline) { 7 }
        try waitUntil("it waits for the reader") { writing.isHeld }
        gate.signal()
        #expect(isDone(end) == true)
    }
}
#endif
