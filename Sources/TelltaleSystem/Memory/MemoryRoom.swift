#if TELLTALE_COMPILED
import CTelltaleSystem

/// Checks whether memory is left for work that takes much of it.
package enum MemoryRoom {
    /// More than one capture of threads, queues or names takes.
    private static let needed = 24 << 20

    /// Asked before such work: where Swift can't allocate the process ends. 2 µs.
    package static var isEnough: Bool { ctelltale_has_room(needed) }

    /// Returns whether the limit of data (RLIMIT_DATA) leaves room for an answer, or for the agent's start with
    /// its threads: a heap has to become writable as it grows, which that limit refuses. 0.2 µs without it.
    package static func hasData(forStart isStart: Bool = false) -> Bool {
        !ctelltale_data_is_limited() || ctelltale_has_room(neededData(forStart: isStart))
    }

    /// The bytes that ``hasData(forStart:)`` asks for.
    package static func neededData(forStart isStart: Bool) -> Int { isStart ? 2 * needed : needed }

    /// Indicates that the calling thread can allocate small objects for as long as it likes.
    ///
    /// At the limit of memory, a thread that has not allocated before can't. 0.2 µs.
    package static var threadHasHeap: Bool { ctelltale_thread_has_heap() }

    /// The same for a thread that begins: its heap grows once for what it does at a limit of data.
    static func takeHeap() -> Bool { ctelltale_thread_takes_heap() }

    /// Indicates that a thread that begins now will get one. 2 µs.
    static var heapCanBegin: Bool { ctelltale_heap_can_begin() }
}
#endif
