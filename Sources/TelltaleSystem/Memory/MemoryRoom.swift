#if TELLTALE_COMPILED
import CTelltaleSystem

/// Checks whether memory is left for work that takes much of it.
package enum MemoryRoom {
    /// More than one capture of threads, queues or names takes.
    private static let needed = 24 << 20

    /// Checked before such work: a failed allocation in Swift ends the process. 2 µs.
    package static var isEnough: Bool { ctelltale_has_room(needed) }

    /// A want of memory at which an answer might end the process.
    package enum Shortage: Sendable, Equatable {
        /// The limit of data (RLIMIT_DATA) leaves less than `needed` bytes: a growing heap must become writable,
        /// which that limit refuses.
        case data(needed: Int)
        /// The control groups, or the machine, leave `left` bytes until the kernel ends a process.
        case untilKilled(left: UInt64, needed: Int)
    }

    /// The works that need memory.
    package enum Work: Sendable {
        case start, answer, dump

        /// In an experiment an answer took 2 to 4 MiB, a dump 8 to 12. No more is asked for than that takes: a
        /// probe that isn't answered has a service restarted that is well in a small container.
        fileprivate var neededUntilKilled: Int { self == .answer ? 8 << 20 : 16 << 20 }

        fileprivate var neededData: Int { self == .start ? 2 * needed : needed }
    }

    /// The shortage that keeps the agent from a work; nil if there is none.
    package static func shortage(for work: Work = .answer) -> Shortage? {
        guard !ctelltale_data_is_limited() || ctelltale_has_room(work.neededData) else {
            return .data(needed: work.neededData)
        }
        let needed = work.neededUntilKilled
        guard let left = untilKilled, left < UInt64(needed) else { return nil }
        return .untilKilled(left: left, needed: needed)
    }

    /// The last figure, and the time from which it is read again.
    private static let lastLeft = Locked<(left: UInt64?, until: MonotonicTime)>((nil, .now))
    /// With more than this, the figure of the last 100 ms is good enough.
    private static let ample: UInt64 = 512 << 20

    /// 0.2 ms where it has to be read.
    private static var untilKilled: UInt64? {
        let now = MonotonicTime.now
        let last = lastLeft.withLock { $0 }
        if now < last.until { return last.left }
        let left = MemoryHeadroom.now.untilKilled
        let isAmple = (left ?? .max) > ample
        lastLeft.withLock {
            $0 = (left, isAmple ? now.advanced(by: .milliseconds(100)) : now)
        }
        return left
    }

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
