#if TELLTALE_AGENT
package import TelltalePicture

extension Picture {
    /// Returns the queues that have gone on since this picture.
    ///
    /// The items of a queue that is entered by `sync` lie on the stacks of the callers, so the head of a later
    /// moment may have the address of an earlier one: the more pictures, the less likely.
    package func queues(movedIn later: Picture) -> Set<UInt> {
        let known = Dictionary(queues.map { ($0.address, $0) }) { first, _ in first }
        return Set(
            later.queues.filter { queue in
                guard queue.waiting != nil, let was = known[queue.address], was.waiting != nil
                else { return false }
                return !queue.hasNotMoved(since: was)
            }.map(\.address))
    }
}
#endif
