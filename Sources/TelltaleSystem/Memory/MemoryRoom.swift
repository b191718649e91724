#if TELLTALE_COMPILED
import CTelltaleSystem

/// Whether there is memory left for work that takes much of it.
package enum MemoryRoom {
    /// More than one look at threads, queues or names takes.
    private static let needed = 24 << 20

    /// Asked before such work: where Swift can't allocate the process ends. 2 µs.
    package static var isEnough: Bool { ctelltale_has_room(needed) }

    /// Whether the calling thread can allocate small things for as long as it likes.
    ///
    /// At the limit of memory a thread can't that has not allocated before. 0.2 µs.
    package static var threadHasHeap: Bool { ctelltale_thread_has_heap() }

    /// Whether a thread that begins now comes to have one. 2 µs.
    static var heapCanBegin: Bool { ctelltale_heap_can_begin() }
}
#endif
