#if TELLTALE_AGENT
package struct OperationFacts: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Waits for its dependencies, or until its own code calls it ready.
        case waiting
        case ready, executing, finished
    }

    package var address: UInt
    package var name: String?
    package var typeName: String
    package var state: State
    package var isCancelled: Bool
    /// As Foundation has it: 0 is the usual one, -8 the lowest, 8 the highest.
    package var priority: Int
    /// The unfinished dependencies, in order. Their own dependencies are not known.
    package var dependencies: [OperationFacts]
    /// The number of further dependencies.
    package var omittedDependencies: Int

    package init(
        address: UInt, name: String?, typeName: String, state: State, isCancelled: Bool,
        priority: Int = 0, dependencies: [OperationFacts] = [], omittedDependencies: Int = 0
    ) {
        self.address = address
        self.name = name
        self.typeName = typeName
        self.state = state
        self.isCancelled = isCancelled
        self.priority = priority
        self.dependencies = dependencies
        self.omittedDependencies = omittedDependencies
    }

    /// Its name, or its type where it has none.
    package var label: String { name ?? typeName }
}

package struct OperationQueueFacts: Sendable, Equatable {
    package var address: UInt
    package var name: String
    package var isSuspended: Bool
    /// `nil` if the system decides.
    package var maximumConcurrent: Int?
    /// The label of the dispatch queue that the host gave it.
    package var underlying: String?
    /// In their order, at most as many as were asked for.
    package var operations: [OperationFacts]
    /// The number of further operations.
    package var omitted: Int

    package init(
        address: UInt, name: String, isSuspended: Bool, maximumConcurrent: Int?,
        underlying: String?, operations: [OperationFacts], omitted: Int
    ) {
        self.address = address
        self.name = name
        self.isSuspended = isSuspended
        self.maximumConcurrent = maximumConcurrent
        self.underlying = underlying
        self.operations = operations
        self.omitted = omitted
    }
}
#endif
