#if TELLTALE_AGENT
import CTelltaleSystem

/// What the bits of a queue's state, flags and priority mean (libdispatch's `queue_internal.h` of
/// swift-6.3.1-RELEASE; the names there are `DISPATCH_QUEUE_…`, `DQF_…`).
struct DispatchState: Sendable {
    private let words: CTelltaleDispatchQueue

    init(_ words: CTelltaleDispatchQueue) { self.words = words }

    private var state: UInt { words.state }

    /// Bits 58 to 63, and what did not fit there.
    var suspendCount: Int {
        let side = state & 1 << 57 != 0 ? Int(words.side_suspensions) : 0
        return Int(state >> 58) &+ side
    }

    var isInactive: Bool { state & 3 << 55 != 0 }
    var isInBarrier: Bool { state & 1 << 54 != 0 }
    var hasPendingBarrier: Bool { state & 1 << 40 != 0 }
    var isEnqueued: Bool { state & 1 << 31 != 0 }

    /// The thread that drains it or holds it in `sync`.
    var owner: Int32? {
        let tid = Int32(truncatingIfNeeded: state & 0x3FFF_FFFF)
        return tid == 0 ? nil : tid
    }

    var width: Int { Int(words.flags & 0xFFFF) }

    /// How many of its items run. A barrier takes the whole width, and one that waits has reserved
    /// all but one.
    var widthInUse: Int {
        if isInBarrier { return 1 }
        let field = Int(state >> 41 & 0x1FFF)
        var used = field &- (0x1000 &- width)
        if hasPendingBarrier { used &-= width &- 1 }
        return max(0, min(used, 0x1000))
    }

    /// It belongs to the main thread, whose id stands in its state for good.
    var isBoundToThread: Bool { words.flags & 0x0004_0000 != 0 }

    /// A source that was cancelled.
    var isCancelled: Bool { words.flags & 0x1000_0000 != 0 }

    /// The class that was asked for; nil where none was.
    var requestedQoS: String? { Self.name(of: words.priority >> 8 & 0xF) }

    /// The class that a global queue has where nothing else asks for one.
    var fallbackQoS: String? { Self.name(of: words.priority >> 12 & 0xF) }

    private static func name(of number: UInt32) -> String? {
        switch number {
        case 1: "maintenance"
        case 2: "background"
        case 3: "utility"
        case 4: "default"
        case 5: "user-initiated"
        case 6: "user-interactive"
        default: nil
        }
    }
}
#endif
