#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// Finds a queue with items that is suspended or was never activated: it continues only after a
    /// call, whose caller is alive. One of Dispatch's own is so in every service that has a
    /// channel.
    mutating func findSuspendedQueue(_ address: UInt) {
        guard let queue = process.queues[address], queue.suspendCount > 0 || queue.isInactive,
            !queue.isDispatchsOwn, process.hostItems(queue) > 0,
            process.unmovedQueues.contains(address)
        else { return }
        let hope: StuckAnswer.Hope =
            queue.isInactive
            ? .activate
            : process.later.heldByClients.contains(address)
                ? .client : .resume(calls: queue.suspendCount)
        add(
            StuckAnswer.Finding(
                .queueSuspended, .waits, seconds: age(of: .queue(address)),
                parties: [process.party(queue: address)], hope: hope), [.queue(address)])
    }

    /// Suspended queues for which nothing waits.
    var idleSuspensions: [StuckAnswer.Remark] {
        process.later.queues.filter {
            $0.suspendCount > 0 && !$0.isInactive && !$0.isDispatchsOwn
                && process.hostItems($0) == 0
        }.prefix(3).map { StuckAnswer.Remark(process.party(queue: $0.address), .nothingWaits) }
    }
}
#endif
