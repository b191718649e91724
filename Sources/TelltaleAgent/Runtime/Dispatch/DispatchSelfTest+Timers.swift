#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// A timer of our own, by its times: before it is active, armed, and cancelled.
extension DispatchSelfTest {
    /// Seconds from now until it fires, and nanoseconds between two firings.
    private static let delay: UInt64 = 1000
    private static let interval: UInt64 = 12_345_000_000

    mutating func tryTimers() {
        guard layout.has(.items) else {
            return layout.fail(.timers, reason: "the items of queues could not be read")
        }
        // On a thread of Dispatch's that there is already.
        let queue = ctelltale_dispatch_global_queue(0x15, false)
        let began = WallClock.nanoseconds
        let timer = ctelltale_dispatch_make_timer(queue, Self.delay, Self.interval, Self.plain)
        guard queue != 0, timer != 0 else {
            return layout.fail(.timers, reason: "a timer could not be made")
        }
        let layout = layout
        let hasPending = Self.isSet(timer, layout, began, isPending: true)
        let kind = layout.queue(at: timer)?.kind_less_one
        // What isn't active must not be let go, and becoming active needs Dispatch.
        guard submitter.submit({ ctelltale_dispatch_activate(timer) }) else {
            return self.layout.fail(.timers, reason: Self.noThread, isPassing: true)
        }
        let isArmed = Self.waits { Self.isSet(timer, layout, began, isPending: false) }
        let wasCancelled = layout.queue(at: timer)?.is_cancelled
        let seen = TimedCondition<Bool?>(nil)
        let end: @Sendable () -> Void = {
            ctelltale_dispatch_cancel(timer)
            let isCancelled = layout.queue(at: timer)?.is_cancelled == true
            ctelltale_dispatch_release(timer)
            seen.update { $0 = isCancelled }
        }
        // A timer that is left would go on firing.
        if !submitter.submit(end) { end() }
        let isCancelled = seen.wait(until: .now.advanced(by: Self.longest)) { $0 }
        guard isArmed, hasPending, wasCancelled == false, isCancelled != false, let kind else {
            return self.layout.fail(
                .timers, reason: "a timer of our own was not read back", isPassing: !isArmed)
        }
        self.layout.kinds[kind &+ 1] = .source
    }

    private static func isSet(
        _ timer: UInt, _ layout: DispatchLayout, _ began: UInt64, isPending: Bool
    ) -> Bool {
        let fires = (delay - 1) * 1_000_000_000...(delay + 1) * 1_000_000_000
        guard let source = layout.source(at: timer), source.is_timer, !source.is_after,
            source.clock == 2, source.is_pending == isPending, source.interval == interval,
            source.filter < 0, fires.contains(source.start &- began), let pages = layout.makePages()
        else { return false }
        defer { ctelltale_dispatch_pages_end(pages) }
        var item = CTelltaleDispatchItem()
        return ctelltale_dispatch_item(pages, source.handler, &item)
            && item.function == address(of: plain)
    }
}
#endif
