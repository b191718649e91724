#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// The time since which items have been seen waiting.
///
/// Dispatch keeps no such time, so only an earlier capture can prove that an item was already waiting. An
/// item is identified by its address, its function and the thread that held its queue; a queue that makes
/// progress lets other items reuse its items' memory.
final class WaitTimes: Sendable {
    private struct Seen {
        var owner: Int32?
        var since: [PendingItem: MonotonicTime]
        var last: MonotonicTime
    }

    /// The number of items that are remembered for each queue.
    private static let items = 16
    /// The number of remembered queues; the one that was read longest ago is evicted.
    private static let queues = 1024
    private let seen = Locked<[UInt: Seen]>([:])

    /// Records the items that wait on a queue now.
    ///
    /// - Returns: The time for which the first of its items has been seen waiting; nil if there is none.
    func oldest(of facts: QueueFacts) -> Duration? {
        guard let first = facts.items.first else {
            seen.withLock { _ = $0.removeValue(forKey: facts.address) }
            return nil
        }
        let now = MonotonicTime.now
        return seen.withLock { seen in
            let before = seen[facts.address]
            let known = before?.owner == facts.owner ? before?.since ?? [:] : [:]
            var since: [PendingItem: MonotonicTime] = [:]
            for item in facts.items.prefix(Self.items) { since[item] = known[item] ?? now }
            // A capture that described fewer items doesn't forget the others.
            for (item, time) in known where since.count < Self.items && since[item] == nil {
                since[item] = time
            }
            if seen.count >= Self.queues, before == nil,
                let oldest = seen.min(by: { $0.value.last < $1.value.last })
            {
                seen[oldest.key] = nil
            }
            seen[facts.address] = Seen(owner: facts.owner, since: since, last: now)
            return since[first].map { now.since($0) }
        }
    }
}
#endif
