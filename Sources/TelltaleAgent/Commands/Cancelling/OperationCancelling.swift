#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

/// `cancel operation`: finds an operation by its name or its address, and cancels it through its queue.
struct OperationCancelling {
    let context: CommandContext

    /// Cancels the operation with a name, or at a hexadecimal address.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or more than one.
    func cancel(_ id: String) throws(CommandFailure) -> ControlAnswer {
        let agent = context.agent
        let deadline = context.ownerDeadline
        let capture = OperationCapture(agent: agent, until: deadline).finish(until: deadline)
        let (entry, operation) = try find(id, in: capture)
        let label = operation.label.escaped(limit: 100)
        let outcome = HostCall<OperationFacts?>.on(
            .none, .write, in: .registration(entry.identifier), workers: agent.workers,
            until: context.ownerDeadline, unless: context.isClientGone
        ) { entry.source.cancel(operation.address) }
        switch outcome {
        case .finished(let operation?): return answer(operation)
        case .finished(nil):
            throw CommandFailure(
                .gone, "operation \(label) has finished meanwhile",
                hint: "`operations` lists them")
        case .withdrawn:
            throw agent.changes.addWithdrawn(
                "operation \(label)", new: "not cancelled", by: context.author,
                since: context.clientEnd)
        case .cancelled, .abandoned:
            throw CommandFailure(
                .timeout, "operation \(label) was not cancelled in time; it may still be",
                hint: "`operations` shows it")
        }
    }

    private func answer(_ operation: OperationFacts) -> ControlAnswer {
        let change = context.agent.changes.addCall(
            "cancel operation \(operation.label)", arguments: "()", result: "cancelled",
            by: context.author)
        return ControlAnswer(
            action: "cancel", target: "operation \(operation.label)", result: "cancelled",
            note: operation.state == .executing
                ? "it is executing, and ends when its own code looks" : nil,
            change: change.number)
    }

    private func find(
        _ id: String, in capture: OperationCapture.Result
    ) throws(CommandFailure) -> (ObservedOperations, OperationFacts) {
        let id = HostLabel.shown(id)
        let address = id.hasPrefix("0x") ? UInt(id.dropFirst(2), radix: 16) : nil
        let all = zip(capture.observed, capture.queues).flatMap { entry, queue in
            queue.operations.map { (entry, $0) }
        }
        let found = all.filter { _, operation in
            address.map { $0 == operation.address } ?? (operation.label == id)
        }
        guard let first = found.first else {
            let near = NearestNames.of(id, among: all.map { $1.label })
            throw CommandFailure(
                .notFound, "there is no operation `\(id.escaped(limit: 100))`",
                hint: near.isEmpty
                    ? "`operations` lists them"
                    : "did you mean \(near.map { "'\($0)'" }.joined(separator: ", "))?")
        }
        guard found.count == 1 else {
            throw CommandFailure(
                .usage,
                "\(found.count) operations are called `\(first.1.label.escaped(limit: 100))`",
                hint: "name it by its address; `operations --json` shows it")
        }
        return first
    }
}
#endif
