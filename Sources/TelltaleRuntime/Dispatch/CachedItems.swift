#if TELLTALE_AGENT
import TelltaleSystem

/// The free list of items that Dispatch caches per thread. The data in these items is left over.
///
/// Each item of the list records the length of the list from there on (`dispatch_cache_key` and
/// `_dispatch_continuation_free_cacheonly` of swift-6.3.1). A list that does not count down to 1 is not
/// valid.
enum CachedItems {
    /// The offset from the thread-local slot of the queue to that of the list.
    private static let distance: UInt = 16
    private static let countOffset: UInt = 8
    private static let nextOffset: UInt = 16
    private static let most = 4096

    /// Returns the cached items of a thread; empty if there is no valid list.
    static func all(threadPointer: UInt, layout: ThreadLayout) -> [UInt] {
        guard layout.has(.queues), layout.queueOffset != 0 else { return [] }
        let place = threadPointer &+ UInt(bitPattern: layout.queueOffset) &+ distance
        var items: [UInt] = []
        var next = GuardedMemory.load(UInt.self, at: place) ?? 0
        var expected: Int32?
        while next != 0 {
            guard next & 7 == 0, items.count < most,
                let count = GuardedMemory.load(Int32.self, at: next &+ countOffset),
                let after = GuardedMemory.load(UInt.self, at: next &+ nextOffset), count > 0,
                expected.map({ $0 == count }) ?? true, (after == 0) == (count == 1)
            else { return [] }
            items.append(next)
            expected = count - 1
            next = after
        }
        return items
    }
}
#endif
