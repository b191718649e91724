#if TELLTALE_AGENT
import Dispatch
import Foundation
import Synchronization
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleFoundation

/// The threads on which the host's values are released.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct HeldValueTests {
    private static let mark = DispatchSpecificKey<String>()
    private let queue = DispatchQueue(label: "test.held")

    init() {
        queue.setSpecific(key: Self.mark, value: "queue")
        SharedState.current.releases.use(WorkerPool(limit: 4))
    }

    /// Notes where it ended: on the queue, or on which thread.
    private final class Thing: Sendable {
        let ends: Ends
        init(_ ends: Ends) { self.ends = ends }
        deinit {
            ends.add(
                DispatchQueue.getSpecific(key: HeldValueTests.mark)
                    ?? "\(NativeThread.currentID)")
        }
    }

    private final class Ends: Sendable {
        private let all = Mutex<[String]>([])
        func add(_ end: String) { all.withLock { $0.append(end) } }
        var list: [String] { all.withLock { $0 } }
    }

    /// Has a thread of the agent's let a value go, and gives that thread's id.
    private func dropOnOwnThread(
        _ owner: Owner, _ ends: Ends, _ giving: HeldValue<Thing>.Giving
    ) throws -> String {
        let thread = Locked("")
        try NativeThread.start(name: "dropper") {
            let held = HeldValue(Thing(ends), of: owner, giving)
            #expect(held.value != nil)
            thread.withLock { $0 = "\(NativeThread.currentID)" }
        }
        try waitUntil("it has ended") { !ends.list.isEmpty }
        return thread.withLock { $0 }
    }

    @Test("what runs no code of the host's when it goes is known by its type")
    func silent() {
        struct Plain { var (x, y) = (1, 2.0) }
        struct Named { var name = "a" }
        let silent: [Any?] = [
            nil, 1, true, 2.5, Plain(), Optional(3) as Any, [1, 2], [Plain()], ["a": [1]], Set([1]),
            [Optional(Plain())], "a", ["a"], ["a": "b"], Optional("a") as Any,
        ]
        for value in silent { #expect(SilentRelease.isSure(of: value), "\(value as Any)") }
        let ends = Ends()
        // A type of unknown `deinit` is taken to run host code: a struct is not looked into.
        let others: [Any?] = [
            Thing(ends), [Thing(ends)], Optional(Thing(ends)) as Any, ["a": Thing(ends)], Named(),
            { @Sendable in _ = ends }, [Thing(ends)] as [Any], 1 as any Sendable as AnyObject,
        ]
        for value in others { #expect(!SilentRelease.isSure(of: value), "\(value as Any)") }
    }

    @Test("what runs no code of the host's goes where it is dropped, and needs no owner")
    func anywhere() throws {
        let ends = Ends()
        queue.suspend()
        defer { queue.resume() }
        let thread = try dropOnOwnThread(.queue(queue), ends, .anywhere)
        #expect(ends.list == [thread])
    }

    @Test("what a queue owns goes on the queue, whoever drops it")
    func onQueue() throws {
        let ends = Ends()
        _ = try dropOnOwnThread(.queue(queue), ends, .toOwner)
        #expect(ends.list == ["queue"])
        do { _ = HeldValue(Thing(ends), of: .queue(queue), .toOwner) }
        try waitUntil("it has ended") { ends.list.count == 2 }
        #expect(ends.list == ["queue", "queue"])
    }

    @Test("what nobody owns goes on a worker, and on a thread of the host's that drops it")
    func unowned() throws {
        let ends = Ends()
        let thread = try dropOnOwnThread(.none, ends, .toOwnerOrHost)
        #expect(ends.list.count == 1 && ends.list != [thread])
        do { _ = HeldValue(Thing(ends), of: .queue(queue), .toOwnerOrHost) }
        #expect(ends.list.last == "\(NativeThread.currentID)")
    }

    @Test("what was taken is the taker's")
    func taken() throws {
        let ends = Ends()
        let held = HeldValue(Thing(ends), of: .queue(queue), .toOwner)
        do { _ = held.take() }
        #expect(ends.list == ["\(NativeThread.currentID)"])
        #expect(held.value == nil)
    }

    @Test("a result that comes after its caller has gone is let go on its owner")
    func late() throws {
        let ends = Ends()
        let gate = DispatchSemaphore(value: 0)
        let workers = WorkerPool(limit: 2)
        func call() throws {
            let begun = DoneFlag()
            let call = HostCall<HeldValue<Thing>>.start(
                on: .none, .write, workers: workers, until: .distantFuture
            ) { [queue] in
                begun.set()
                gate.wait()
                return HeldValue(Thing(ends), of: .queue(queue), .toOwner)
            }
            try waitUntil("it has begun") { begun.isSet }
            guard case .abandoned = call.outcome(until: .now, grace: .zero) else {
                Issue.record("it came back")
                return
            }
        }
        try call()
        gate.signal()
        try waitUntil("it has ended") { !ends.list.isEmpty }
        #expect(ends.list == ["queue"])
        workers.close()
    }

    @Test("an object that is looked at again and again is kept once while its queue is late")
    func merged() throws {
        let ends = Ends()
        let before = SharedState.current.releases.waiting.count
        queue.suspend()
        do {
            let thing = Thing(ends)
            for _ in 0..<100 {
                let held = HeldObjects()
                held.queue = queue
                held.hold([thing])
                held.giveBack()
            }
        }
        #expect(SharedState.current.releases.waiting.count == before + 1)
        #expect(ends.list.isEmpty)
        queue.resume()
        try waitUntil("it has ended") { ends.list == ["queue"] }
    }

    /// An operation that ends, and of which the host lets go, while it is looked at.
    private final class Passing: Operation, @unchecked Sendable {
        private let ends: Ends
        private let operations: OperationQueue
        private let isArmed = Atomic(false)

        init(_ ends: Ends, in operations: OperationQueue) {
            self.ends = ends
            self.operations = operations
            super.init()
        }

        deinit {
            ends.add(DispatchQueue.getSpecific(key: HeldValueTests.mark) ?? "elsewhere")
        }

        func arm() { isArmed.store(true, ordering: .releasing) }

        override var name: String? {
            get {
                if isArmed.exchange(false, ordering: .acquiringAndReleasing) {
                    operations.isSuspended = false
                    while operations.operationCount > 0 { usleep(1000) }
                }
                return "passing"
            }
            set {}
        }
    }

    @Test("an operation that ends while it is looked at is freed on its queue")
    func operations() throws {
        let ends = Ends()
        let operations = OperationQueue()
        operations.underlyingQueue = queue
        operations.isSuspended = true
        func add() {
            let passing = Passing(ends, in: operations)
            operations.addOperation(passing)
            passing.arm()
        }
        add()
        let observed = ObservedOperationQueue(operations, name: nil)
        #expect(observed.read(limit: 10)?.operations.count == 1)
        try waitUntil("it has ended") { !ends.list.isEmpty }
        #expect(ends.list == ["queue"])
    }
}
#endif
