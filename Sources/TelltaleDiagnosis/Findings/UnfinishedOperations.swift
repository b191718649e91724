#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// An operation that others wait for, and that nothing starts or nobody marks as finished.
    mutating func findUnfinishedOperation(_ address: UInt) {
        guard let operation = process.operations[address], operation.state != .finished,
            process.unmovedOperations.contains(address),
            graph.awaited(by: .operation(address)).isEmpty,
            process.window >= thresholds.blocked
        else { return }
        let behind = graph.waiting(for: .operation(address)).filter { isHosts($0) }
        guard !behind.isEmpty || operation.isQueueSuspended else { return }
        let isAbandoned =
            operation.state == .executing
            ? hope == nil : operation.queue == nil || operation.isQueueSuspended
        guard isAbandoned else { return }
        let waiting = behind.sorted().reversed().compactMap { node -> StuckAnswer.Party? in
            switch node {
            case .operation(let other): process.party(operation: other)
            case .thread(let id): process.party(thread: id)
            default: nil
            }
        }
        add(
            StuckAnswer.Finding(
                .operationNotFinished, seconds: process.window,
                parties: [process.party(operation: address)] + waiting.prefix(3)),
            [.operation(address)])
    }
}
#endif
