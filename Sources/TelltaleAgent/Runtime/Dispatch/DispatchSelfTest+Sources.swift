#if TELLTALE_AGENT
#if os(Linux) && (arch(x86_64) || arch(arm64))
import CTelltaleSystem
import TelltaleSystem

/// Groups and semaphores, by their counts, and timers, by their times.
extension DispatchSelfTest {
    static func counter(_ address: UInt) -> CTelltaleDispatchCounter? {
        var words = CTelltaleDispatchCounter()
        return ctelltale_dispatch_counter(address, &words) ? words : nil
    }

    mutating func tryCounters() {
        let group = ctelltale_dispatch_make_group()
        if group != 0 {
            for _ in 0..<3 { ctelltale_dispatch_enter(group) }
            let three = Self.counter(group)
            for _ in 0..<3 { ctelltale_dispatch_leave(group) }
            let none = Self.counter(group)
            ctelltale_dispatch_release(group)
            if let three, let none, GroupState(three).outstanding == 3,
                GroupState(none).outstanding == 0, !GroupState(three).hasWaiters
            {
                layout.kinds[three.kind_less_one &+ 1] = .group
            } else {
                fail(.groups, reason: "a group of our own was not read back")
            }
        } else {
            fail(.groups, reason: "a group could not be made")
        }
        let semaphore = ctelltale_dispatch_make_semaphore(7)
        guard semaphore != 0 else {
            return fail(.semaphores, reason: "a semaphore could not be made")
        }
        let words = Self.counter(semaphore)
        ctelltale_dispatch_release(semaphore)
        if let words, words.value == 7, words.original == 7 {
            layout.kinds[words.kind_less_one &+ 1] = .semaphore
        } else {
            fail(.semaphores, reason: "a semaphore of our own was not read back")
        }
    }

    mutating func tryTimers() {
        guard layout.has(.items) else {
            return fail(.timers, reason: "the items of queues could not be read")
        }
        let queue = ctelltale_dispatch_make_queue("telltale.try.timer", 0, 0)
        guard queue != 0 else { return fail(.timers, reason: "a queue could not be made") }
        let interval: UInt64 = 12_345_000_000
        let start = MonotonicTime.now.nanoseconds
        let timer = ctelltale_dispatch_make_timer(queue, 1000, interval, Self.plain)
        guard timer != 0 else {
            ctelltale_dispatch_release(queue)
            return fail(.timers, reason: "a timer could not be made")
        }
        let hasPending = Self.isSet(timer, start, interval, isPending: true)
        let kind = Self.read(timer)?.kind_less_one
        // What isn't active must not be let go, and becoming active needs Dispatch.
        guard submitter.submit({ ctelltale_dispatch_activate(timer) }) else {
            return fail(
                .timers, reason: "Dispatch can have no thread now to try it with",
                isPassing: true)
        }
        let deadline = MonotonicTime.now.advanced(by: Self.patience)
        var isArmed = false
        while !isArmed, .now < deadline {
            isArmed = Self.isSet(timer, start, interval, isPending: false)
            if !isArmed { Moment.short() }
        }
        let wasCancelled = Self.state(of: timer)?.isCancelled
        let end: @Sendable () -> Void = {
            ctelltale_dispatch_cancel(timer)
            ctelltale_dispatch_release(timer)
            ctelltale_dispatch_release(queue)
        }
        // A timer that is left would go on firing.
        if !submitter.submit(end) { end() }
        guard isArmed, hasPending, wasCancelled == false, let kind else {
            return fail(
                .timers, reason: "a timer of our own was not read back", isPassing: !isArmed)
        }
        layout.kinds[kind &+ 1] = .source
    }

    private static func isSet(
        _ timer: UInt, _ start: UInt64, _ interval: UInt64, isPending: Bool
    ) -> Bool {
        var source = CTelltaleDispatchSource()
        guard ctelltale_dispatch_source(timer, &source), source.owner == timer,
            source.is_timer, source.is_pending == isPending, source.interval == interval,
            source.start >= start &+ 999_000_000_000,
            source.start <= start &+ 1_001_000_000_000,
            let pages = ctelltale_dispatch_pages_make()
        else { return false }
        defer { ctelltale_dispatch_pages_end(pages) }
        var item = CTelltaleDispatchItem()
        return ctelltale_dispatch_item(pages, source.handler, &item)
            && item.function == address(of: plain)
    }
}
#endif
#endif
