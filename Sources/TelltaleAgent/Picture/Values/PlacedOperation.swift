#if TELLTALE_AGENT
/// An operation and where it stands: in a queue that the host has shown, or as what another depends on.
struct PlacedOperation: Sendable {
    var address: UInt
    var name: String
    /// Its type, where its name isn't already that.
    var type: String
    var state: OperationFacts.State
    var isCancelled: Bool
    /// The name of its queue; nil where it is in none and will never start.
    var queue: String?
    var isQueueSuspended: Bool
    var dependencies: [UInt]

    /// All operations of some queues, each once, and then what they depend on besides.
    static func all(in queues: [OperationQueueFacts]) -> [PlacedOperation] {
        let index = OperationIndex(queues)
        var known: Set<UInt> = []
        var found: [PlacedOperation] = []
        for queue in queues {
            for operation in queue.operations where known.insert(operation.address).inserted {
                found.append(
                    PlacedOperation(
                        address: operation.address, name: operation.label,
                        type: operation.typeName, state: operation.state,
                        isCancelled: operation.isCancelled, queue: queue.name,
                        isQueueSuspended: queue.isSuspended,
                        dependencies: operation.dependencies.map(\.address)))
            }
        }
        for dependency in queues.lazy.flatMap(\.operations).flatMap(\.dependencies)
        where known.insert(dependency.address).inserted {
            found.append(
                PlacedOperation(
                    address: dependency.address, name: dependency.label,
                    type: dependency.typeName, state: dependency.state,
                    isCancelled: dependency.isCancelled,
                    queue: index.isOutside(dependency) ? nil : "a queue that isn't observed",
                    isQueueSuspended: false, dependencies: []))
        }
        return found
    }
}

/// Which operations stand in the queues that are observed.
///
/// Made once for all of them: each dependency of each operation is asked for, which would be the square
/// of their number.
struct OperationIndex: Sendable {
    private let known: Set<UInt>
    private let areAllKnown: Bool

    init(_ queues: [OperationQueueFacts]) {
        known = Set(queues.lazy.flatMap(\.operations).map(\.address))
        areAllKnown = queues.allSatisfy { $0.omitted == 0 }
    }

    /// Whether nothing that is observed will ever run what an operation waits for: it has not begun,
    /// and it is in no queue that is observed.
    func isOutside(_ dependency: OperationFacts.Dependency) -> Bool {
        switch dependency.state {
        case .executing, .finished: false
        case .waiting, .ready: areAllKnown && !known.contains(dependency.address)
        }
    }
}
#endif
