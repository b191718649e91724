#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// Tests the layout of libdispatch's objects on objects of our own, which are brought into known states.
///
/// No object of the host is touched. Creating, counting and releasing objects needs no thread of Dispatch.
/// The few items that must run at the end are submitted through a ``DispatchSubmitter``. If Dispatch has no
/// thread for them, they stay in a queue of ours until it has.
struct DispatchSelfTest {
    var layout: DispatchLayout
    let submitter = DispatchSubmitter()

    /// The timeout for an action of another thread.
    static let longest = Duration.milliseconds(500)
    static let noThread = "Dispatch can have no thread or descriptor now to try it with"

    init(layout: DispatchLayout) { self.layout = layout }

    /// Tests all parts: 1 to 2 ms on an idle machine.
    mutating func tryAll() {
        if let reason = tryQueues() {
            layout = .off(reason)
            return
        }
        if let reason = tryStates() {
            layout.fail(.states, .items, .blocks, .workItems, reason: reason)
        } else {
            tryItems()
        }
        ForkGate.rest()
        tryQualityOfService()
        tryCounters()
        ForkGate.rest()
        tryWaiters()
        tryTimers()
    }

    // MARK: Helpers of the self-tests

    /// Returns true if `condition` becomes true in time.
    static func waits(for condition: () -> Bool) -> Bool {
        let deadline = MonotonicTime.now.advanced(by: longest)
        while !condition() {
            guard .now < deadline else { return false }
            NativeThread.sleep(.microseconds(50))
        }
        return true
    }

    func items(of queue: UInt) -> [CTelltaleDispatchItem] {
        guard let pages = layout.makePages() else { return [] }
        defer { ctelltale_dispatch_pages_end(pages) }
        return [CTelltaleDispatchItem](unsafeUninitializedCapacity: 16) { buffer, count in
            let walk = ctelltale_dispatch_items(
                pages, queue, buffer.baseAddress, 16, 100,
                MonotonicTime.now.advanced(by: Self.longest).nanoseconds)
            count = min(walk.written, 16)
        }
    }

    /// Runs `body` in `sync` on a private queue: at once, on the calling thread.
    static func inside<Result>(_ queue: UInt, _ body: () -> Result) -> Result? {
        var result: Result?
        withoutActuallyEscaping({ result = body() }) { body in
            withUnsafePointer(to: body) { body in
                ctelltale_dispatch_sync(queue, UnsafeMutableRawPointer(mutating: body)) {
                    $0?.assumingMemoryBound(to: (() -> Void).self).pointee()
                }
            }
        }
        return result
    }

    /// The global queues that exist, found by asking for each.
    static var globalQueues: [UInt] {
        var all: [UInt] = []
        for qos: UInt32 in [0x05, 0x09, 0x11, 0x15, 0x19, 0x21] {
            for overcommit in [false, true] {
                let queue = ctelltale_dispatch_global_queue(qos, overcommit)
                if queue != 0, !all.contains(queue) { all.append(queue) }
            }
        }
        return all
    }
}
#endif
