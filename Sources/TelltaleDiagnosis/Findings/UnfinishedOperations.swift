#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// Finds an operation that others wait for, and that nothing starts or nothing marks as
    /// finished.
    mutating func findUnfinishedOperation(_ address: UInt) {
        guard let operation = process.operations[address], operation.state != .finished,
            process.unmovedOperations.contains(address),
            graph.awaited(by: .operation(address)).isEmpty,
            isOld(age(of: .operation(address)), thresholds.stuckAfter)
        else { return }
        let age = age(of: .operation(address))
        let behind = graph.waiting(for: .operation(address)).filter { isHosts($0) }
        guard !behind.isEmpty || operation.isQueueSuspended else { return }
        // The thread that executes it may still finish it; a caller that would resume its queue is
        // alive.
        let hope: StuckAnswer.Hope? =
            operation.state == .executing && !process.isHopeless ? process.hope : nil
        guard operation.state == .executing || operation.queue == nil || operation.isQueueSuspended
        else { return }
        let isStuck = hope == nil && (operation.queue == nil || operation.state == .executing)
        guard isStuck || age >= thresholds.stuckAfterInput || operation.isQueueSuspended else {
            return
        }
        let waiting = process.firstParties(of: behind.sorted().reversed())
        add(
            StuckAnswer.Finding(
                .operationNotFinished, isStuck ? .stuck : .waits, seconds: age,
                parties: [process.party(operation: address)] + waiting, hope: hope),
            [.operation(address)])
    }
}
#endif
