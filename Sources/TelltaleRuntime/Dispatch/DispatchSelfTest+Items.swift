#if TELLTALE_AGENT
import CTelltaleSystem
import Dispatch
import Synchronization
import TelltalePicture
import TelltaleSystem

/// Tests items of each kind, in a suspended queue of our own.
extension DispatchSelfTest {
    static let ran = Atomic<Int>(0)
    typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void
    /// The function of an item of ours, and of a timer of ours.
    static let plain: Function = { _ in ran.wrappingAdd(1, ordering: .relaxed) }
    private static let barrier: Function = { _ in ran.wrappingAdd(2, ordering: .relaxed) }
    private static let grouped: Function = { _ in ran.wrappingAdd(3, ordering: .relaxed) }

    static func address(of function: Function) -> UInt {
        unsafeBitCast(function, to: UInt.self)
    }

    /// Returns true if `address` is in code near our own, where our closures are.
    private static func isOurs(_ address: UInt, _ code: CodeAddresses) -> Bool {
        let own = Self.address(of: plain)
        return (address > own ? address &- own : own &- address) < 1 << 28
            && code.contains(address)
    }

    mutating func tryItems() {
        guard submitter.prime() else {
            return layout.fail(
                .items, .blocks, .workItems, reason: Self.noThread, isPassing: true)
        }
        // A Swift queue, because only those accept closures.
        let queue = DispatchQueue(
            label: "telltale.layout.items", attributes: .concurrent,
            target: DispatchSubmitter.spare)
        let group = ctelltale_dispatch_make_group()
        guard let inner = QueueKind.inner(queue), group != 0 else {
            return layout.fail(
                .items, .blocks, .workItems, reason: "a queue and a group could not be made")
        }
        queue.suspend()
        let target = Lower(on: queue)
        let before = Self.ran.load(ordering: .relaxed)
        func context(_ number: UInt) -> UnsafeMutableRawPointer? {
            UnsafeMutableRawPointer(bitPattern: 0x7E11_0000 | number << 4)
        }
        ctelltale_dispatch_async(inner, false, context(1), Self.plain)
        ctelltale_dispatch_async(inner, true, context(2), Self.barrier)
        ctelltale_dispatch_group_async(group, inner, context(3), Self.grouped)
        queue.async { _ = Self.ran.wrappingAdd(10, ordering: .relaxed) }
        let kept = DispatchWorkItem { _ = Self.ran.wrappingAdd(100, ordering: .relaxed) }
        let cancelled = DispatchWorkItem {
            _ = Self.ran.wrappingAdd(1000, ordering: .relaxed)
        }
        queue.async(execute: kept)
        queue.async(execute: cancelled)
        cancelled.cancel()
        target.enqueue()

        judge(items(of: inner), group: group, target: target)
        runOff(queue, inner, until: before + 1 + 2 + 3 + 10 + 100 + 1)
        ctelltale_dispatch_release(group)
    }

    /// A queue whose target is the suspended queue: if it has an item, it waits in that queue as an item
    /// itself.
    private struct Lower {
        let queue: DispatchQueue
        let inner: UInt

        init(on target: DispatchQueue) {
            queue = DispatchQueue(label: "telltale.layout.lower", target: target)
            inner = QueueKind.inner(queue) ?? 0
        }

        func enqueue() { if inner != 0 { ctelltale_dispatch_async(inner, false, nil, plain) } }
    }

    private mutating func judge(
        _ items: [CTelltaleDispatchItem], group: UInt, target: Lower
    ) {
        guard items.count == 7 else {
            return layout.fail(
                .items, .blocks, .workItems,
                reason: "the items of a queue of our own were not found")
        }
        let expected: [(Function, UInt)] = [
            (Self.plain, 0x7E11_0010), (Self.barrier, 0x7E11_0020), (Self.grouped, 0x7E11_0030),
        ]
        let areRead = zip(items, expected).allSatisfy { item, expected in
            item.function == Self.address(of: expected.0) && item.context == expected.1
        }
        let lower = layout.queue(at: target.inner)
        guard areRead, items.map(\.is_barrier) == [false, true, false, false, false, false, false],
            items.map(\.group) == [0, 0, group, 0, 0, 0, 0],
            items[6].address == target.inner,
            layout.kinds[FirstWord(items[6].object_kind)] == .serial
        else {
            return layout.fail(
                .items, .blocks, .workItems, reason: "items of our own were not read back")
        }
        layout.expect(
            lower?.is_enqueued == true && lower?.role == 0, .states,
            "a queue of our own that waits on another was not seen to")
        let block = items[3]
        let code = CodeAddresses()
        layout.expect(
            block.is_block && block.block_size == 48 && Self.isOurs(block.invoke, code)
                && Self.isOurs(block.captured, code), .blocks,
            "a closure of our own was not read back")
        layout.expect(
            items[4...5].allSatisfy { $0.is_work_item && Self.isOurs($0.captured, code) }
                && items.map(\.is_cancelled) == [false, false, false, false, false, true, false],
            .workItems, "work items of our own were not read back")
    }

    /// Resumes the queue, and checks that its list becomes empty.
    private mutating func runOff(_ queue: DispatchQueue, _ inner: UInt, until sum: Int) {
        // If nothing can be submitted, the queue is leaked in its suspended state, because a suspended
        // queue must not be released.
        guard submitter.submit({ queue.resume() }) else {
            _ = Unmanaged.passRetained(queue)
            return layout.fail(.items, reason: Self.noThread, isPassing: true)
        }
        // Otherwise the host occupies all threads of Dispatch. The layout that was read is still valid.
        guard Self.waits(for: { Self.ran.load(ordering: .relaxed) >= sum }) else { return }
        let layout = layout
        let isEmpty = Self.waits {
            layout.queue(at: inner).map { $0.head == 0 && $0.tail == 0 } == true
        }
        if !isEmpty {
            // Or its thread got no processor time for so long.
            self.layout.fail(
                .items, reason: "a queue of our own was not seen to be empty again",
                isPassing: true)
        }
    }
}

/// Tests a timer of our own by its times: before activation, armed, and cancelled.
extension DispatchSelfTest {
    /// The delay until it fires, in seconds, and the interval between two firings, in nanoseconds.
    private static let delay: UInt64 = 1000
    private static let interval: UInt64 = 12_345_000_000

    mutating func tryTimers() {
        guard layout.has(.items) else {
            return layout.fail(.timers, reason: "the items of queues could not be read")
        }
        // Uses a thread of Dispatch that already exists.
        let queue = ctelltale_dispatch_global_queue(0x15, false)
        let began = WallClock.nanoseconds
        let timer = ctelltale_dispatch_make_timer(queue, Self.delay, Self.interval, Self.plain)
        guard queue != 0, timer != 0 else {
            return layout.fail(.timers, reason: "a timer could not be made")
        }
        let layout = layout
        let hasPending = Self.isSet(timer, layout, began, isPending: true)
        let kind = layout.queue(at: timer)?.kind_less_one
        // An inactive timer must not be released, and the activation needs Dispatch.
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
        // A timer that is not cancelled would continue firing.
        if !submitter.submit(end) { end() }
        let isCancelled = seen.wait(until: .now.advanced(by: Self.longest)) { $0 }
        guard isArmed, hasPending, wasCancelled == false, isCancelled != false, let kind else {
            return self.layout.fail(
                .timers, reason: "a timer of our own was not read back", isPassing: !isArmed)
        }
        self.layout.kinds[FirstWord(kind &+ 1)] = .source
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
