#if TELLTALE_COMPILED
import CTelltaleSystem

/// Checks whether memory is left for work that takes much of it.
package enum MemoryRoom {
    /// More than one capture of threads, queues or names takes.
    private static let needed = 24 << 20

    /// Checked before such work: a failed allocation in Swift ends the process. 2 µs.
    package static var isEnough: Bool { ctelltale_has_room(needed) }

    /// Returns whether the data limit (RLIMIT_DATA) leaves capacity for an answer, or for the agent's start
    /// with its threads: a growing heap must become writable, which that limit refuses. 0.2 µs without the
    /// limit.
    package static func hasData(forStart isStart: Bool = false) -> Bool {
        !ctelltale_data_is_limited() || ctelltale_has_room(neededData(forStart: isStart))
    }

    /// The bytes that ``hasData(forStart:)`` asks for.
    package static func neededData(forStart isStart: Bool) -> Int { isStart ? 2 * needed : needed }

    /// Indicates that the calling thread can allocate small objects for as long as it likes.
    ///
    /// At the limit of memory, a thread that has not allocated before can't. 0.2 µs.
    package static var threadHasHeap: Bool { ctelltale_thread_has_heap() }

    /// The same for a thread that starts: under a data limit its heap grows once, for all of its work.
    static func takeHeap() -> Bool { ctelltale_thread_takes_heap() }

    /// Indicates that a thread that begins now will get one. 2 µs.
    static var heapCanBegin: Bool { ctelltale_heap_can_begin() }
}
#endif
