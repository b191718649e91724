#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// Tries the layout of libdispatch's objects on some of our own, in states that are known because we
/// have put them there.
///
/// Nothing of the host's is touched. What is only made, counted and let go needs no thread of
/// Dispatch; the few items that have to be run off at the end go through a ``DispatchSubmitter``,
/// and where Dispatch has no thread for them they stay in a queue of ours until it has. Each trial
/// stands in a file of its own.
struct DispatchSelfTest {
    var layout: DispatchLayout
    let submitter = DispatchSubmitter()

    /// How long is waited for what another thread does.
    static let patience = Duration.milliseconds(500)

    #if os(Linux) && (arch(x86_64) || arch(arm64))
    mutating func fail(_ parts: DispatchLayout.Part..., reason: String, isPassing: Bool = false) {
        for part in parts { layout.fail(part, reason: reason, isPassing: isPassing) }
    }

    /// Tries all of it: 1 to 2 ms where nothing else runs.
    mutating func tryAll() {
        if let reason = tryQueues() {
            layout = .off(reason)
            return
        }
        if let reason = tryStates() {
            fail(.states, .items, .blocks, .workItems, reason: reason)
        } else {
            tryItems()
        }
        tryQualityOfService()
        tryCounters()
        tryWaiters()
        tryTimers()
    }

    // MARK: What the trials share

    static func read(_ queue: UInt) -> CTelltaleDispatchQueue? {
        var words = CTelltaleDispatchQueue()
        return ctelltale_dispatch_queue(queue, &words) ? words : nil
    }

    static func state(of queue: UInt) -> DispatchState? {
        read(queue).map { DispatchState($0) }
    }

    static func items(of queue: UInt) -> [CTelltaleDispatchItem] {
        guard let pages = ctelltale_dispatch_pages_make() else { return [] }
        defer { ctelltale_dispatch_pages_end(pages) }
        return [CTelltaleDispatchItem](unsafeUninitializedCapacity: 16) { buffer, count in
            let walk = ctelltale_dispatch_items(
                pages, queue, buffer.baseAddress, 16, 100,
                MonotonicTime.now.advanced(by: patience).nanoseconds)
            count = min(walk.written, 16)
        }
    }
    #endif
}
#endif
