#if TELLTALE_AGENT
/// An operation and its queue: one in a queue that the host has shown, or a dependency of another.
package struct PlacedOperation: Sendable {
    package var address: UInt
    package var name: String
    /// Its type, where its name isn't already that.
    package var type: String
    package var state: OperationFacts.State
    package var isCancelled = false
    /// The name of its queue; `nil` if it is in none and will never start.
    package var queue: String?
    package var isQueueSuspended = false
    package var dependencies: [UInt] = []
    /// Known by a thread alone that waits for it, in a queue of which the host has shown nothing.
    package var isUnobserved = false

    /// The name for a queue that the host hasn't shown.
    package static let unobservedQueue = "a queue that isn't observed"

    package init(
        address: UInt, name: String, type: String, state: OperationFacts.State, queue: String?
    ) {
        self.address = address
        self.name = name
        self.type = type
        self.state = state
        self.queue = queue
    }

    package static func all(in queues: [OperationQueueFacts]) -> [PlacedOperation] {
        let index = OperationIndex(queues)
        var known: Set<UInt> = []
        var found: [PlacedOperation] = []
        for queue in queues {
            for operation in queue.operations where known.insert(operation.address).inserted {
                var placed = PlacedOperation(
                    address: operation.address, name: operation.label,
                    type: operation.typeName, state: operation.state, queue: queue.name)
                placed.isCancelled = operation.isCancelled
                placed.isQueueSuspended = queue.isSuspended
                placed.dependencies = operation.dependencies.map(\.address)
                found.append(placed)
            }
        }
        for dependency in queues.lazy.flatMap(\.operations).flatMap(\.dependencies)
        where known.insert(dependency.address).inserted {
            var placed = PlacedOperation(
                address: dependency.address, name: dependency.label, type: dependency.typeName,
                state: dependency.state,
                queue: index.isOutside(dependency) ? nil : unobservedQueue)
            placed.isCancelled = dependency.isCancelled
            found.append(placed)
        }
        return found
    }
}

/// The operations in the observed queues.
///
/// Made once for all of them: it is queried for each dependency of each operation, and without it
/// that would take the square of their number.
package struct OperationIndex: Sendable {
    private let known: Set<UInt>
    private let areAllKnown: Bool

    package init(_ queues: [OperationQueueFacts]) {
        known = Set(queues.lazy.flatMap(\.operations).map(\.address))
        areAllKnown = queues.allSatisfy { $0.omitted == 0 }
    }

    /// Returns whether nothing observed will ever run the dependency: it has not begun, and it is
    /// in no observed queue.
    package func isOutside(_ dependency: OperationFacts) -> Bool {
        switch dependency.state {
        case .executing, .finished: false
        case .waiting, .ready: areAllKnown && !known.contains(dependency.address)
        }
    }
}
#endif
