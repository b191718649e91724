#if TELLTALE_AGENT
import Glibc

/// The cost of a ``FrozenCopy`` to the host, weighed before it is made.
///
/// The kernel copies the page tables of all private memory that was written, and locks the process's memory
/// map during that time: each thread that needs a page waits. While the copy lives, each page that the host
/// writes exists twice, at most as much as the host has written before.
package struct CopyCost: Sendable, Equatable {
    /// The amount of copied memory: the pages that the process has written, in memory or swapped
    /// out.
    package var copied: UInt64
    /// The time that the process is stopped for that.
    package var time: Duration { CopyRate.time(for: copied) }
    /// The maximum memory of the copy: page tables, and every page twice.
    package var memory: UInt64
    package var headroom: MemoryHeadroom
    package var isFiltered = false

    /// A copy that was not asked for by name takes no longer than this.
    package static let longest = Duration.milliseconds(50)

    /// Why a copy isn't made.
    package enum Refusal: Error, Sendable, Equatable {
        /// The kernel may end the host.
        case kills(memory: UInt64, left: UInt64)
        case stops(Duration)
        case takes(memory: UInt64, free: UInt64)
        case unknown(memory: UInt64, gap: String)
        /// A seccomp filter that was installed after the agent's start may end the host at the copy.
        case filtered

        /// Indicates that the copy is made nevertheless if it is asked for by name.
        package var yields: Bool {
            switch self {
            case .kills, .filtered: false
            default: true
            }
        }
    }

    package init(copied: UInt64, memory: UInt64, headroom: MemoryHeadroom) {
        self.copied = copied
        self.memory = memory
        self.headroom = headroom
    }

    /// Reads the process's own numbers; without `/proc` all of them are 0, and the headroom isn't known.
    package static var now: CopyCost {
        let status = ProcessFiles.thread.statusText ?? ""
        let resident = MemoryHeadroom.bytes("RssAnon", in: status) ?? 0
        let written = resident &+ (MemoryHeadroom.bytes("VmSwap", in: status) ?? 0)
        var cost = CopyCost(
            copied: written,
            memory: resident &+ (MemoryHeadroom.bytes("VmPTE", in: status) ?? 0), headroom: .now)
        cost.isFiltered = SeccompFilters.haveGrown
        return cost
    }

    /// The reason why the copy isn't made; nil if it may be.
    package var refusal: Refusal? {
        if isFiltered { return .filtered }
        if let left = headroom.untilKilled, memory > left {
            return .kills(memory: memory, left: left)
        }
        if time > Self.longest { return .stops(time) }
        if let gap = headroom.gap { return .unknown(memory: memory, gap: gap) }
        if let free = headroom.free, memory > free / 4 { return .takes(memory: memory, free: free) }
        return nil
    }
}

/// The rate at which the kernel copies page tables here, learnt from every copy that is made.
///
/// With huge pages that takes a twentieth. They aren't counted: the kernel's count (`smaps_rollup`) walks over all page
/// tables with the map of memory held, which stops the service as long as the copy would.
package enum CopyRate {
    /// Nanoseconds for each MiB. 40 ms for each GiB were measured on a loaded virtual machine.
    private static let rate = Locked<UInt64>(39_000)
    /// A smaller copy takes as long as the call itself.
    private static let smallest: UInt64 = 64 << 20

    package static func time(for bytes: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: (bytes >> 20) &* rate.withLock { $0 }))
    }

    /// Takes in the processor time of a copy; its maker may have waited for a core besides.
    package static func learn(_ nanoseconds: UInt64, for bytes: UInt64) {
        guard bytes >= smallest, nanoseconds > 0 else { return }
        rate.withLock { $0 = nanoseconds / (bytes >> 20) }
    }
}
#endif
