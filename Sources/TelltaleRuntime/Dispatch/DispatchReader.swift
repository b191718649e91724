#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltalePicture
package import TelltaleSystem

/// Reads an address as a queue, a group, a semaphore or a timer; nil if there is no such object.
///
/// An address that a search has found may have been freed since, or may never have been such an object. So
/// every field with a known range is checked before the object is trusted.
package final class DispatchReader {
    package let layout: DispatchLayout
    private let deadline: MonotonicTime
    // Returns the time for which earlier captures have seen the first item waiting.
    private let oldestWait: (QueueFacts) -> Duration?
    private let code: CodeAddresses
    private let globals: Set<UInt>
    private let taskWord: UInt
    // Copies of the pages that contain items; shared by all queues of one capture.
    private let pages: OpaquePointer?
    private var targets: [UInt: Bool] = [:]

    static let largestCount = 100_000

    package init(
        layout: DispatchLayout, deadline: MonotonicTime,
        oldestWait: @escaping (QueueFacts) -> Duration? = { _ in nil }
    ) {
        self.layout = layout
        self.deadline = deadline
        self.oldestWait = oldestWait
        code = CodeAddresses()
        globals = Set(DispatchReader.globalQueues)
        taskWord = ctelltale_dispatch_task_word()
        pages = layout.makePages()
    }

    deinit { if let pages { ctelltale_dispatch_pages_end(pages) } }

    /// The global queues, which are known without a search.
    package static var globalQueues: [UInt] { DispatchSelfTest.globalQueues }

    // MARK: Queues

    /// The queue at `address`. Up to `items` waiting items are described; all are counted.
    package func queue(at address: UInt, items: Int = 0) -> QueueFacts? {
        guard layout.has(.queues), let read = layout.queue(at: address),
            let kind = layout.kinds[FirstWord(read.kind_less_one &+ 1)],
            let name = Self.queueKind(kind), isAlive(read, kind), let label = label(read)
        else { return nil }
        let isRoot = kind == .global
        var facts = QueueFacts(address: address)
        facts.label = label
        facts.kind = name
        facts.target = read.target == 0 ? nil : read.target
        facts.qos = qos(read, isRoot: isRoot)
        facts.width = Int(read.width)
        if layout.has(.states), !isRoot {
            facts.suspendCount = Int(read.suspensions)
            facts.isInactive = read.is_inactive
            facts.isEnqueued = read.is_enqueued
            facts.isBoundToThread = read.is_bound_to_thread
            facts.isInBarrier = !read.is_bound_to_thread && read.is_in_barrier
            facts.hasPendingBarrier = read.has_pending_barrier
            facts.widthInUse = read.is_bound_to_thread ? 0 : Int(read.width_in_use)
            facts.owner = read.owner == 0 ? nil : read.owner
        }
        addItems(to: &facts, read, limit: items)
        return facts
    }

    // A label that isn't text may belong to a queue that is being freed: the second read then differs.
    private func label(_ words: CTelltaleDispatchQueue) -> String? {
        if let label = DispatchText.string(at: words.label) { return label }
        guard let label = DispatchText.string(at: words.label, repairing: true),
            let again = layout.queue(at: words.address),
            again.kind_less_one == words.kind_less_one, again.serial == words.serial,
            again.label == words.label
        else { return nil }
        return label
    }

    /// The label of the queue at `address`, which a thread serves; nil if there is none.
    ///
    /// The queue of Dispatch's manager is of an unlisted kind, but has a label like the others.
    package func label(of address: UInt) -> String? {
        guard layout.has(.queues), let words = layout.queue(at: address),
            let label = DispatchText.string(at: words.label)
        else { return nil }
        return label.isEmpty && layout.kinds[FirstWord(words.kind_less_one &+ 1)] == nil
            ? nil : label
    }

    private static func queueKind(_ kind: DispatchLayout.Kind) -> QueueKind? {
        switch kind {
        case .serial: .serial
        case .concurrent: .concurrent
        case .main: .main
        case .global: .global
        case .group, .semaphore, .source: nil
        }
    }

    private func isAlive(_ words: CTelltaleDispatchQueue, _ kind: DispatchLayout.Kind) -> Bool {
        guard words.serial > 0, words.serial < 1 << 40 else { return false }
        switch kind {
        case .global: return globals.contains(words.address)
        case .main: return words.address == ctelltale_dispatch_main_queue()
        case .serial where words.width != 1: return false
        case .concurrent where words.width < 2 || words.width > 0xFFF: return false
        default:
            return words.is_counted && words.role != 3 && isQueue(words.target)
        }
    }

    /// Returns true if `address` could be the target of a queue.
    private func isQueue(_ address: UInt) -> Bool {
        if globals.contains(address) { return true }
        if let known = targets[address] { return known }
        // The manager's queue has its own vtable, at an address near to the others.
        let word = GuardedMemory.load(UInt.self, at: address) ?? 0
        let isOne = address != 0 && layout.kinds.keys.contains { $0.isNear(word) }
        targets[address] = isOne
        return isOne
    }

    private func qos(_ read: CTelltaleDispatchQueue, isRoot: Bool) -> String {
        guard layout.has(.qualityOfService) else { return "unspecified" }
        let asked = read.requested_qos != 0 || !isRoot ? read.requested_qos : read.fallback_qos
        let names = [
            "maintenance", "background", "utility", "default", "user-initiated",
            "user-interactive",
        ]
        return (1...6).contains(asked) ? names[Int(asked) - 1] : "unspecified"
    }

    // MARK: Items

    private func addItems(
        to facts: inout QueueFacts, _ words: CTelltaleDispatchQueue, limit: Int
    ) {
        guard layout.has(.items), let pages else {
            facts.waiting = nil
            return
        }
        guard words.head != 0 || words.tail != 0 else { return }
        // At least one item, to check that the walked objects are items.
        let capacity = min(max(limit, 1), Self.largestCount)
        var walk = CTelltaleDispatchWalk()
        let read = [CTelltaleDispatchItem](unsafeUninitializedCapacity: capacity) {
            buffer, count in
            walk = ctelltale_dispatch_items(
                pages, words.address, buffer.baseAddress, capacity, Self.largestCount,
                deadline.nanoseconds)
            count = min(walk.written, capacity)
        }
        guard !walk.is_moving, read.allSatisfy(isItem) else {
            facts.waiting = nil
            return
        }
        facts.waiting = walk.count
        facts.isCut = walk.is_cut
        facts.items = read.map(item)
        facts.oldestWait = oldestWait(facts)
        if limit < facts.items.count { facts.items = Array(facts.items.prefix(limit)) }
    }

    private func isItem(_ item: CTelltaleDispatchItem) -> Bool {
        item.object_kind != 0 || code.contains(item.function)
    }

    private func item(_ read: CTelltaleDispatchItem) -> PendingItem {
        var item = PendingItem(address: read.address)
        guard read.object_kind == 0 else {
            switch layout.kinds[FirstWord(read.object_kind)] {
            case .serial, .concurrent, .main, .global:
                item.kind = .queue
                item.object = read.address
            case .source:
                item.kind = .source
                item.object = read.address
                item.function = handler(of: read.address)
            default: break
            }
            return item
        }
        item.isBarrier = read.is_barrier
        item.isInGroup = read.group != 0
        if read.is_sync_waiter {
            item.kind = .syncWaiter
            if layout.has(.syncWaiters), read.waiter > 0 { item.waiter = read.waiter }
        } else if read.is_work_item {
            item.kind = .workItem
            if layout.has(.workItems) {
                item.isCancelled = read.is_cancelled
                item.function = function(of: read)
            }
        } else if read.is_block {
            item.kind = .block
            if layout.has(.blocks) { item.function = function(of: read) }
        } else if taskWord != 0, read.context_word == taskWord {
            item.kind = .task
            item.object = read.context
        } else {
            item.kind = .function
            item.function = read.function
        }
        return item
    }

    /// The function of a block. A Swift block's code is a thunk, and its first capture is the closure.
    private func function(of read: CTelltaleDispatchItem) -> UInt? {
        if read.block_size >= 48, code.contains(read.captured) { return read.captured }
        return code.contains(read.invoke) ? read.invoke : nil
    }

    // MARK: Others

    private func counter(
        _ address: UInt, _ kind: DispatchLayout.Kind
    ) -> CTelltaleDispatchCounter? {
        guard let read = layout.counter(at: address),
            layout.kinds[FirstWord(read.kind_less_one &+ 1)] == kind, read.is_counted,
            globals.contains(read.target)
        else { return nil }
        return read
    }

    package func group(at address: UInt) -> GroupFacts? {
        guard layout.has(.groups), let read = counter(address, .group) else { return nil }
        return GroupFacts(
            address: address, outstanding: Int(read.outstanding), hasWaiters: read.has_waiters,
            hasNotify: read.has_notify)
    }

    package func semaphore(at address: UInt) -> SemaphoreFacts? {
        guard layout.has(.semaphores), let read = counter(address, .semaphore),
            read.original >= 0, read.value > -(1 << 24)
        else { return nil }
        return SemaphoreFacts(address: address, value: read.value, original: read.original)
    }

    package func timer(at address: UInt) -> TimerFacts? {
        guard layout.has(.timers), let read = layout.queue(at: address),
            layout.kinds[FirstWord(read.kind_less_one &+ 1)] == .source,
            let source = layout.source(at: address), source.is_timer
        else { return nil }
        let isSet = source.start > 0 && source.start < UInt64(Int64.max)
        let now = Self.now(source.clock)
        let firesIn = isSet ? (Double(source.start) - Double(now)) / 1e9 : nil
        let repeats = source.interval > 0 && source.interval < UInt64(Int64.max)
        var timer = TimerFacts(address: address)
        timer.queue = read.target == 0 ? nil : read.target
        timer.firesIn = read.is_cancelled ? nil : firesIn
        timer.interval = repeats ? Double(source.interval) / 1e9 : nil
        timer.handler = handler(item: source.handler)
        timer.isAfter = source.is_after
        timer.isCancelled = read.is_cancelled
        timer.suspendCount = Int(read.suspensions) &+ (read.is_inactive ? 1 : 0)
        return timer
    }

    /// Makes the timer at `address` fire now, and restarts its interval from then on; false if its clock
    /// can't be set.
    package func fire(_ address: UInt) -> Bool {
        guard let source = layout.source(at: address), source.is_timer, source.clock != 1 else {
            return false
        }
        return ctelltale_dispatch_force_timer(address, source.clock == 2, source.interval)
    }

    private static func now(_ clock: UInt8) -> UInt64 {
        switch clock {
        case 1: ProcessClocks.sinceBoot
        case 2: WallClock.nanoseconds
        default: MonotonicTime.now.nanoseconds
        }
    }

    private func handler(of address: UInt) -> UInt? {
        layout.source(at: address).flatMap { handler(item: $0.handler) }
    }

    private func handler(item address: UInt) -> UInt? {
        guard address != 0, let pages else { return nil }
        var read = CTelltaleDispatchItem()
        guard ctelltale_dispatch_item(pages, address, &read), isItem(read) else { return nil }
        return item(read).function
    }

    package func workBlock(of address: UInt) -> UInt? {
        guard let pages else { return nil }
        var item = CTelltaleDispatchItem()
        guard ctelltale_dispatch_item(pages, address, &item), item.is_work_item else {
            return nil
        }
        return item.context
    }
}
#endif
