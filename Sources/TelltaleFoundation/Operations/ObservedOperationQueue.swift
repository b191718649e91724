#if TELLTALE_AGENT
import Dispatch
import Foundation
import TelltaleAgent
import TelltalePicture
import TelltaleRuntime

/// An operation queue as the agent reads it, with what Foundation has public for it.
final class ObservedOperationQueue: OperationSource, @unchecked Sendable {
    // Set in `init` and never again. A queue with operations is kept alive by them.
    private weak var queue: OperationQueue?
    private let name: String?

    init(_ queue: OperationQueue, name: String?) {
        self.queue = queue
        self.name = name
    }

    func read(limit: Int) -> OperationQueueFacts? {
        Self.reading { held in read(limit: limit, holding: held) }
    }

    func cancel(_ address: UInt) -> OperationFacts? {
        Self.reading { held in cancel(address, holding: held) }
    }

    /// After `body`, its references to host objects may be the last ones: the objects are then
    /// released on their queue.
    private static func reading<Result>(_ body: (HeldObjects) -> Result) -> Result {
        let held = HeldObjects()
        defer { held.giveBack() }
        return body(held)
    }

    private func operations(holding held: HeldObjects) -> (OperationQueue, [Operation])? {
        guard let queue else { return nil }
        let operations = queue.operations
        held.queue = queue === OperationQueue.main ? .main : queue.underlyingQueue
        held.hold(operations + [queue])
        return (queue, operations)
    }

    private func read(limit: Int, holding held: HeldObjects) -> OperationQueueFacts? {
        guard let (queue, operations) = operations(holding: held) else { return nil }
        let maximum = queue.maxConcurrentOperationCount
        return OperationQueueFacts(
            address: Self.address(of: queue),
            name: name.map { HostLabel.shown($0) } ?? Self.name(of: queue),
            isSuspended: queue.isSuspended,
            maximumConcurrent: maximum < 0 || maximum == Int.max ? nil : maximum,
            underlying: queue.underlyingQueue.map { HostLabel.shown($0.label) },
            operations: operations.prefix(limit).map {
                Self.facts(of: $0, limit: limit, holding: held)
            },
            omitted: max(0, operations.count - limit))
    }

    private func cancel(_ address: UInt, holding held: HeldObjects) -> OperationFacts? {
        let operations = operations(holding: held)?.1
        guard let operation = operations?.first(where: { Self.address(of: $0) == address })
        else { return nil }
        operation.cancel()
        return Self.facts(of: operation, limit: 0, holding: held)
    }

    private static func facts(
        of operation: Operation, limit: Int, holding held: HeldObjects
    ) -> OperationFacts {
        let dependencies = operation.dependencies
        held.hold(dependencies)
        let waiting = dependencies.filter { !$0.isFinished }
        return OperationFacts(
            address: address(of: operation), name: name(of: operation),
            typeName: String(describing: type(of: operation)), state: state(of: operation),
            isCancelled: operation.isCancelled, priority: operation.queuePriority.rawValue,
            dependencies: waiting.prefix(limit).map { dependency in
                OperationFacts(
                    address: address(of: dependency), name: name(of: dependency),
                    typeName: String(describing: type(of: dependency)),
                    state: state(of: dependency), isCancelled: dependency.isCancelled)
            }, omittedDependencies: max(0, waiting.count - limit))
    }

    private static func state(of operation: Operation) -> OperationFacts.State {
        if operation.isFinished { return .finished }
        if operation.isExecuting { return .executing }
        return operation.isReady ? .ready : .waiting
    }

    private static func name(of operation: Operation) -> String? {
        operation.name.flatMap { $0.isEmpty ? nil : HostLabel.shown($0) }
    }

    private static func name(of queue: OperationQueue) -> String {
        if queue === OperationQueue.main { return "main" }
        return queue.name.flatMap { $0.isEmpty ? nil : HostLabel.shown($0) } ?? "OperationQueue"
    }

    /// An object's address, which tells it from others while it lives.
    static func address(of object: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }
}
#endif
