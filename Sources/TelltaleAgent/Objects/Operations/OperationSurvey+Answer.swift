#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension OperationSurvey.Result {
    /// As `operations` answers it.
    var answer: OperationsAnswer {
        OperationsAnswer(
            queues: queues.map(answer(for:)),
            runLoop: runLoop.map {
                OperationsAnswer.RunLoop(
                    isWaiting: $0.isWaiting, mode: $0.mode, timers: $0.timers,
                    sources: $0.sources)
            }, notes: notes)
    }

    private func answer(for queue: OperationQueueFacts) -> OperationsAnswer.Queue {
        OperationsAnswer.Queue(
            name: queue.name, operations: queue.operations.map(answer(for:)),
            omitted: queue.omitted == 0 ? nil : queue.omitted, isSuspended: queue.isSuspended,
            maximumConcurrent: queue.maximumConcurrent, underlying: queue.underlying)
    }

    private func answer(for operation: OperationFacts) -> OperationsAnswer.Operation {
        var dependencies = operation.dependencies.map(spelled)
        if operation.omittedDependencies > 0 {
            dependencies.append("\(operation.omittedDependencies) more")
        }
        return OperationsAnswer.Operation(
            name: operation.label, type: operation.typeName, state: operation.state.rawValue,
            isCancelled: operation.isCancelled, dependencies: dependencies,
            address: "0x\(String(operation.address, radix: 16))",
            priority: Self.spelled(priority: operation.priority))
    }

    /// `decode a.jpg (executing)`, `decode b.jpg (cancelled, in no observed queue)`.
    func spelled(_ dependency: OperationFacts.Dependency) -> String {
        var words: [String] = dependency.isCancelled ? ["cancelled"] : []
        if isOutside(dependency) {
            words.append("in no observed queue")
        } else {
            words.append(dependency.state.rawValue)
        }
        return "\(dependency.label) (\(words.joined(separator: ", ")))"
    }

    private static func spelled(priority: Int) -> String? {
        switch priority {
        case 0: nil
        case ...(-8): "very low"
        case ..<0: "low"
        case 8...: "very high"
        default: "high"
        }
    }

    /// The lines of a dump; none where the host has shown nothing of this.
    var dumpLines: [String] {
        guard !queues.isEmpty || runLoop != nil || !notes.isEmpty else { return [] }
        let count = queues.reduce(0) { $0 + $1.operations.count + $1.omitted }
        let waiting = queues.reduce(0) { sum, queue in
            sum + queue.operations.count { $0.state == .waiting }
        }
        let place = queues.count == 1 ? "1 queue" : "\(queues.count) queues"
        return ["OPERATIONS \(count): \(waiting) waiting, in \(place)"]
            + answer.lines(TextStyle(color: false, width: nil)).filter { !$0.isEmpty }
            .map { "  " + $0 }
    }
}
#endif
