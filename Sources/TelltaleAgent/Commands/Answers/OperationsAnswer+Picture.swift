#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension OperationsAnswer {
    init(_ picture: Picture) {
        let index = OperationIndex(picture.operationQueues)
        self.init(
            queues: picture.operationQueues.map { Queue($0, index) },
            runLoop: picture.runLoop, notes: picture.notes(on: .operations))
    }
}

extension OperationsAnswer.Queue {
    fileprivate init(_ queue: OperationQueueFacts, _ index: OperationIndex) {
        self.init(
            name: queue.name,
            operations: queue.operations.map { OperationsAnswer.Operation($0, index) })
        omitted = queue.omitted == 0 ? nil : queue.omitted
        isSuspended = queue.isSuspended
        maximumConcurrent = queue.maximumConcurrent
        underlying = queue.underlying
    }
}

extension OperationsAnswer.Operation {
    fileprivate init(_ operation: OperationFacts, _ index: OperationIndex) {
        var dependencies = operation.dependencies.map { Self.rendered($0, index) }
        if operation.omittedDependencies > 0 {
            dependencies.append("\(operation.omittedDependencies) more")
        }
        self.init(
            name: operation.label, type: operation.typeName, state: operation.state.rawValue)
        isCancelled = operation.isCancelled
        self.dependencies = dependencies
        address = Quantity.address(operation.address)
        priority = Self.rendered(priority: operation.priority)
    }

    /// Returns a text such as `decode a.jpg (executing)` or
    /// `decode b.jpg (cancelled, in no observed queue)`.
    private static func rendered(
        _ dependency: OperationFacts, _ index: OperationIndex
    ) -> String {
        var words: [String] = dependency.isCancelled ? ["cancelled"] : []
        if index.isOutside(dependency) {
            words.append("in no observed queue")
        } else {
            words.append(dependency.state.rawValue)
        }
        return "\(dependency.label) (\(words.joined(separator: ", ")))"
    }

    private static func rendered(priority: Int) -> String? {
        switch priority {
        case 0: nil
        case ...(-8): "very low"
        case ..<0: "low"
        case 8...: "very high"
        default: "high"
        }
    }
}
#endif
