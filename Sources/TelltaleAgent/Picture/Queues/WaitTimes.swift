#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// Since when items have been seen to wait.
///
/// Dispatch keeps no such time, so that only a capture can say "it waited then already". An item is known
/// by its address, its function and the thread that held its queue; a queue that moves gives its
/// items' memory to others.
final class WaitTimes: Sendable {
    private struct Seen {
        var owner: Int32?
        var since: [PendingItem: MonotonicTime]
        var last: MonotonicTime
    }

    /// How many of a queue's items are remembered.
    private static let items = 16
    /// How many queues are; what was looked at longest ago makes room.
    private static let queues = 1024
    private let seen = Locked<[UInt: Seen]>([:])

    /// Notes what waits on a queue now.
    ///
    /// - Returns: How long the first of its items has been seen waiting; nil without one.
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
