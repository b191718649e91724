#if TELLTALE_AGENT
#if os(Linux) && (arch(x86_64) || arch(arm64))
import CTelltaleSystem
import Dispatch
import Synchronization
import TelltalePicture
import TelltaleSystem

/// Items of each kind in a suspended queue of our own.
extension DispatchSelfTest {
    private static let ran = Atomic<Int>(0)
    typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void
    /// What an item of ours runs; a timer of ours has it too.
    static let plain: Function = { _ in ran.wrappingAdd(1, ordering: .relaxed) }
    private static let barrier: Function = { _ in ran.wrappingAdd(2, ordering: .relaxed) }
    private static let grouped: Function = { _ in ran.wrappingAdd(3, ordering: .relaxed) }

    static func address(of function: Function) -> UInt {
        unsafeBitCast(function, to: UInt.self)
    }

    /// Whether `code` lies near our own code, where our closures lie.
    private static func isOurs(_ code: UInt) -> Bool {
        let own = address(of: plain)
        return (code > own ? code &- own : own &- code) < 1 << 28
    }

    mutating func tryItems() {
        guard submitter.prime() else {
            layout.isWorthRetrying = true
            for part in [DispatchLayout.Part.items, .blocks, .workItems] {
                fail(part, "Dispatch can have no thread or descriptor now to try it with")
            }
            return
        }
        // One of Swift's, since only those take closures.
        let queue = DispatchQueue(label: "telltale.try.items", attributes: .concurrent)
        guard let inner = QueueKind.inner(queue),
            let words = Self.read(inner),
            DispatchText.string(at: words.label, limit: 64) == "telltale.try.items"
        else {
            for part in [DispatchLayout.Part.items, .blocks, .workItems] {
                fail(part, "the queue behind Swift's object was not found")
            }
            return
        }
        queue.suspend()
        let before = Self.ran.load(ordering: .relaxed)
        let group = ctelltale_dispatch_make_group()
        let first = UnsafeMutableRawPointer(bitPattern: 0x7E11_0010)
        let second = UnsafeMutableRawPointer(bitPattern: 0x7E11_0020)
        let third = UnsafeMutableRawPointer(bitPattern: 0x7E11_0030)
        ctelltale_dispatch_async(inner, false, first, Self.plain)
        ctelltale_dispatch_async(inner, true, second, Self.barrier)
        if group != 0 {
            ctelltale_dispatch_group_async(group, inner, third, Self.grouped)
        }
        queue.async { _ = Self.ran.wrappingAdd(10, ordering: .relaxed) }
        let kept = DispatchWorkItem { _ = Self.ran.wrappingAdd(100, ordering: .relaxed) }
        let cancelled = DispatchWorkItem {
            _ = Self.ran.wrappingAdd(1000, ordering: .relaxed)
        }
        queue.async(execute: kept)
        queue.async(execute: cancelled)
        cancelled.cancel()

        let items = Self.items(of: inner)
        if let reason = Self.problem(functions: items, group: group) {
            for part in [DispatchLayout.Part.items, .blocks, .workItems] {
                fail(part, reason)
            }
        } else {
            let block = items[3]
            if !(block.flags & 0x10 != 0 && block.flags & 0x20 == 0
                && Self.isOurs(block.invoke) && Self.isOurs(block.captured))
            {
                fail(.blocks, "a closure of our own was not read back")
            }
            let works = items[4...5]
            if !(works.allSatisfy { $0.is_work_item && Self.isOurs($0.captured) }
                && items[4].work_flags & 1 == 0 && items[5].work_flags & 1 == 1)
            {
                fail(.workItems, "work items of our own were not read back")
            }
        }
        runOff(queue, inner, until: before + 1 + 2 + (group == 0 ? 0 : 3) + 10 + 100)
        if group != 0 { ctelltale_dispatch_release(group) }
    }

    /// Lets the queue go on, and sees its list empty.
    private mutating func runOff(_ queue: DispatchQueue, _ inner: UInt, until sum: Int) {
        // Kept suspended for good where Dispatch can't be asked: a suspended queue must not
        // be let go.
        guard submitter.submit({ queue.resume() }) else {
            _ = Unmanaged.passRetained(queue)
            layout.isWorthRetrying = true
            return
        }
        let deadline = MonotonicTime.now.advanced(by: Self.patience)
        while .now < deadline, Self.ran.load(ordering: .relaxed) < sum { Moment.short() }
        guard Self.ran.load(ordering: .relaxed) == sum else {
            // The host has all threads of Dispatch; what was read holds nevertheless.
            return
        }
        while .now < deadline {
            if let words = Self.read(inner), words.head == 0, words.tail == 0 { return }
            Moment.short()
        }
        // Or its thread had no processor for so long.
        layout.isWorthRetrying = true
        fail(.items, "a queue of our own was not seen to be empty again")
    }

    private static func problem(functions items: [CTelltaleDispatchItem], group: UInt)
        -> String?
    {
        guard group != 0 else { return "a group could not be made" }
        guard items.count == 6 else {
            return "the items of a queue of our own were not found"
        }
        let expected: [(Function, UInt)] = [
            (plain, 0x7E11_0010), (barrier, 0x7E11_0020), (grouped, 0x7E11_0030),
        ]
        for (item, (function, context)) in zip(items, expected)
        where item.function != address(of: function) || item.context != context {
            return "the functions of items of our own were not read back"
        }
        guard items[0].flags & 0xB == 0, items[1].flags & 0xB == 2,
            items[2].flags & 0xB == 8, items[2].data == group
        else { return "barrier and group of items of our own were not read back" }
        return nil
    }
}
#endif
#endif
