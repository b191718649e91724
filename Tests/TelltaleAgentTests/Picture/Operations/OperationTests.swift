#if TELLTALE_AGENT
import Foundation
import TelltalePicture
import TelltaleProtocol
import Testing

@testable import TelltaleAgent
@testable import TelltaleFoundation

@Suite("operations are shown with what they wait for")
struct OperationTests {
    private let queue = OperationQueue()

    init() {
        queue.name = "test.operations"
        queue.isSuspended = true
        queue.maxConcurrentOperationCount = 3
    }

    private func operation(_ name: String, after others: Operation...) -> Operation {
        let operation = BlockOperation {}
        operation.name = name
        for other in others { operation.addDependency(other) }
        return operation
    }

    private func facts(limit: Int = 100) throws -> OperationQueueFacts {
        try #require(ObservedOperationQueue(queue, name: nil).read(limit: limit))
    }

    private func answer(_ queues: [OperationQueueFacts]) -> OperationsAnswer {
        var picture = Picture(time: .zero)
        picture.operationQueues = queues
        return OperationsAnswer(picture)
    }

    @Test("in their order, with state, priority and the dependencies that are not finished")
    func shown() throws {
        let first = operation("first")
        let finished = operation("finished")
        finished.start()
        let second = operation("second", after: first, finished)
        second.queuePriority = .veryHigh
        queue.addOperations([first, second], waitUntilFinished: false)
        let facts = try facts()
        #expect(facts.name == "test.operations")
        #expect(facts.isSuspended)
        #expect(facts.maximumConcurrent == 3)
        #expect(facts.operations.map(\.name) == ["first", "second"])
        #expect(facts.operations.map(\.state) == [.ready, .waiting])
        #expect(facts.operations.map(\.typeName) == ["BlockOperation", "BlockOperation"])
        #expect(facts.operations.map(\.priority) == [0, 8])
        #expect(facts.operations.last?.dependencies.map(\.name) == ["first"])
        #expect(facts.operations.last?.dependencies.map(\.state) == [.ready])
    }

    @Test("what is in no observed queue, and never began, is named as such")
    func outside() throws {
        let lost = operation("lost")
        let queued = operation("queued")
        queue.addOperations(
            [queued, operation("last", after: lost, queued)], waitUntilFinished: false)
        let shown = try facts()
        let last = try #require(shown.operations.last)
        #expect(
            last.dependencies.map(OperationIndex([shown]).isOutside) == [true, false])
        #expect(
            answer([shown]).queues.first?.operations.last?.dependencies == [
                "lost (in no observed queue)", "queued (ready)",
            ])
        lost.cancel()
        #expect(
            answer([try facts()]).queues.first?.operations.last?.dependencies.first
                == "lost (cancelled, in no observed queue)")
    }

    @Test("the dependencies of many operations take no time that grows with its square")
    func many() {
        let queues = (0..<100).map { queue in
            OperationQueueFacts(
                address: UInt(queue), name: "many", isSuspended: false, maximumConcurrent: nil,
                underlying: nil,
                operations: (0..<200).map { index in
                    OperationFacts(
                        address: UInt(queue * 1000 + index), name: nil, typeName: "T",
                        state: .waiting, isCancelled: false, priority: 0, dependencies: [],
                        omittedDependencies: 0)
                }, omitted: 0)
        }
        let index = OperationIndex(queues)
        let begin = ContinuousClock.now
        let outside = (0..<100_000).count { address in
            index.isOutside(
                OperationFacts(
                    address: UInt(address), name: nil, typeName: "T", state: .waiting,
                    isCancelled: false))
        }
        #expect(outside == 80_000)
        // Each against each: some minutes in a debug build.
        #expect(ContinuousClock.now - begin < .seconds(10))
    }

    @Test("beyond the limit they are counted")
    func cut() throws {
        let all = (0..<10).map { operation("\($0)") }
        queue.addOperations(all, waitUntilFinished: false)
        queue.addOperation(operation("last", after: all[0], all[1], all[2], all[3]))
        let facts = try facts(limit: 3)
        #expect(facts.operations.map(\.name) == ["0", "1", "2"])
        #expect(facts.omitted == 8)
        #expect(answer([facts]).queues.first?.omitted == 8)
        // An operation that is not shown may hold the one waited for.
        let elsewhere = OperationFacts(
            address: 1, name: "elsewhere", typeName: "T", state: .waiting, isCancelled: false)
        #expect(!OperationIndex([facts]).isOutside(elsewhere))
    }

    @Test("an operation is cancelled by its address, and one that is gone is not")
    func cancelled() throws {
        let waiting = operation("waiting", after: operation("lost"))
        queue.addOperation(waiting)
        let source = ObservedOperationQueue(queue, name: nil)
        let address = ObservedOperationQueue.address(of: waiting)
        #expect(source.cancel(1) == nil)
        #expect(source.cancel(address)?.isCancelled == true)
        #expect(waiting.isCancelled)
    }

    @Test("a queue is held weakly")
    func weak() {
        var queue: OperationQueue? = OperationQueue()
        let source = queue.map { ObservedOperationQueue($0, name: "gone") }
        #expect(source?.read(limit: 1)?.name == "gone")
        queue = nil
        #expect(source?.read(limit: 1) == nil)
        #expect(source?.cancel(0) == nil)
    }

    @Test("a run loop's description gives each of its timers once, the next one first")
    func timers() {
        let description = """
            <CFRunLoop 0x5 [0x7]>{current mode = kCFRunLoopDefaultMode,
            	1 : <CFRunLoopTimer 0x55f50 [0x7]>{valid = Yes, firing = No, interval = 2.5, tolerance = 0, next fire date = 816969608 (2.19834507 @ 24121667088199), callout = ? (?)}
            	0 : <CFRunLoopTimer 0x5a970 [0x7]>{valid = Yes, firing = No, interval = 0, tolerance = 0, next fire date = 816969606 (0.498453259 @ 24119967228256), callout = ?}
            	1 : <CFRunLoopTimer 0x55f50 [0x7]>{valid = Yes, firing = No, interval = 2.5, tolerance = 0, next fire date = 816969608 (2.19830716 @ 24121667088199), context = <CFRunLoopTimer context 0x55f50>}
            """
        #expect(
            MainRunLoop.timers(in: description) == [
                "fires in 498 ms", "fires in 2.1 s, every 2.5 s",
            ])
        let many = (1...60).map {
            "<CFRunLoopTimer 0x\($0) [0x1]>{next fire date = 0 (\($0) @ 0)}"
        }
        let lines = MainRunLoop.timers(in: "<CFRunLoop 0x5>" + many.joined(separator: "\n"))
        #expect(lines.count == 51)
        #expect(lines.suffix(2) == ["fires in 50 s", "10 more"])
        #expect(MainRunLoop.timers(in: "") == [])
        #expect(MainRunLoop.timers(in: "<CFRunLoopTimer 0x1 next fire date = (") == [])
    }
}
#endif
