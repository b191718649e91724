#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleSystem

/// Reads what lies at an address as a queue, a group, a semaphore or a timer, where it is one.
///
/// What a search has found may have been freed since, or be nothing of the kind: everything that can
/// be known of an object has to fit before it is believed.
final class DispatchReader {
    let layout: DispatchLayout
    private let deadline: MonotonicTime
    private let code: CodeAddresses
    private let globals: Set<UInt>
    private let taskWord: UInt
    // Copies of pages with items; one for all queues of a look.
    private let pages: OpaquePointer?
    private var targets: [UInt: Bool] = [:]

    /// What is counted at most.
    static let largestCount = 100_000

    init(layout: DispatchLayout, deadline: MonotonicTime) {
        self.layout = layout
        self.deadline = deadline
        code = CodeAddresses()
        globals = Set(DispatchReader.globalQueues)
        #if os(Linux)
        taskWord = ctelltale_dispatch_task_word()
        #else
        taskWord = 0
        #endif
        pages = ctelltale_dispatch_pages_make()
    }

    deinit { if let pages { ctelltale_dispatch_pages_end(pages) } }

    /// The global queues and the main queue, which no search is needed for.
    static var globalQueues: [UInt] {
        #if os(Linux) && (arch(x86_64) || arch(arm64))
        DispatchSelfTest.globalQueues
        #else
        []
        #endif
    }

    // MARK: Queues

    /// The queue at `address`.
    ///
    /// - Parameters:
    ///   - address: Of the C object.
    ///   - items: How many of the waiting items are described; all are counted.
    /// - Returns: nil where there is none.
    func queue(at address: UInt, items: Int = 0) -> QueueFacts? {
        guard layout.has(.queues) else { return nil }
        var words = CTelltaleDispatchQueue()
        guard ctelltale_dispatch_queue(address, &words),
            let kind = layout.kinds[words.kind_less_one &+ 1],
            let spelled = Self.queueKind(kind), isAlive(words, kind)
        else { return nil }
        guard let label = label(words) else { return nil }
        let state = DispatchState(words)
        let hasStates = layout.has(.states)
        let isRoot = kind == .global
        let isBound = state.isBoundToThread
        var facts = QueueFacts(address: address)
        facts.label = label
        facts.kind = spelled
        facts.target = words.target == 0 ? nil : words.target
        facts.qos = qos(state, isRoot: isRoot)
        facts.width = state.width
        if hasStates, !isRoot {
            facts.suspendCount = state.suspendCount
            facts.isInactive = state.isInactive
            facts.isEnqueued = state.isEnqueued
            facts.isInBarrier = !isBound && state.isInBarrier
            facts.hasPendingBarrier = state.hasPendingBarrier
            facts.widthInUse = isBound ? 0 : state.widthInUse
            facts.owner = state.owner
        }
        addItems(to: &facts, words, limit: items)
        return facts
    }

    // A label that isn't text may be one of a queue that is just being freed: its kind is gone then.
    private func label(_ words: CTelltaleDispatchQueue) -> String? {
        if let label = DispatchText.string(at: words.label) { return label }
        var again = CTelltaleDispatchQueue()
        guard let label = DispatchText.string(at: words.label, repairing: true),
            ctelltale_dispatch_queue(words.address, &again),
            again.kind_less_one == words.kind_less_one, again.serial == words.serial,
            again.label == words.label
        else { return nil }
        return label
    }

    /// The label of the queue at `address`, which a thread serves; nil where there is none.
    ///
    /// Dispatch's manager is of a kind that is not listed, and has a label as the others do.
    func label(of address: UInt) -> String? {
        guard layout.has(.queues) else { return nil }
        var words = CTelltaleDispatchQueue()
        guard ctelltale_dispatch_queue(address, &words),
            let label = DispatchText.string(at: words.label)
        else { return nil }
        return layout.kinds[words.kind_less_one &+ 1] == nil && label.isEmpty ? nil : label
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
        let width = words.flags & 0xFFFF
        switch kind {
        case .global: return globals.contains(words.address)
        case .main: return words.address == ctelltale_dispatch_main_queue()
        case .serial where width != 1: return false
        case .concurrent where width < 2 || width > 0xFFF: return false
        default:
            guard words.references >= 0, words.references < 1 << 28,
                words.outer_references >= -1, words.outer_references < 1 << 28,
                words.state >> 36 & 3 != 3
            else { return false }
            return isQueue(words.target)
        }
    }

    /// Whether a queue could have `address` as its target.
    private func isQueue(_ address: UInt) -> Bool {
        if globals.contains(address) { return true }
        if let known = targets[address] { return known }
        // The manager's queue has a kind of its own, near to the others.
        let word = GuardedMemory.load(UInt.self, at: address) ?? 0
        let isOne =
            address != 0
            && layout.kinds.keys.contains { (word > $0 ? word &- $0 : $0 &- word) < 1 << 12 }
        targets[address] = isOne
        return isOne
    }

    private func qos(_ state: DispatchState, isRoot: Bool) -> String {
        guard layout.has(.qualityOfService) else { return "unspecified" }
        return state.requestedQoS ?? (isRoot ? state.fallbackQoS : nil) ?? "unspecified"
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
        // One at least, to see whether what was walked over are items.
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
        facts.oldestWait = SharedState.current.dispatch.waitTimes.oldest(of: facts)
        if limit < facts.items.count { facts.items = Array(facts.items.prefix(limit)) }
    }

    private func isItem(_ item: CTelltaleDispatchItem) -> Bool {
        item.flags >= 0x1000 || code.contains(item.function)
    }

    private func item(_ read: CTelltaleDispatchItem) -> PendingItem {
        var item = PendingItem(address: read.address)
        guard read.flags < 0x1000 else {
            switch layout.kinds[read.flags] {
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
        item.isBarrier = read.flags & 0x2 != 0
        item.isInGroup = read.flags & 0x8 != 0
        if read.flags & 0x1 != 0 {
            item.kind = .syncWaiter
            if layout.has(.syncWaiters), read.waiter > 0 { item.waiter = read.waiter }
        } else if read.is_work_item {
            item.kind = .workItem
            if layout.has(.workItems) {
                item.isCancelled = read.work_flags & 1 != 0
                item.function = function(of: read)
            }
        } else if read.flags & 0x10 != 0 {
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

    /// What a block runs. Swift's has a thunk as its code and the closure as what it captures first.
    private func function(of read: CTelltaleDispatchItem) -> UInt? {
        if read.block_size >= 48, code.contains(read.captured) { return read.captured }
        return code.contains(read.invoke) ? read.invoke : nil
    }

    // MARK: Others

    private func counter(_ address: UInt, _ kind: DispatchLayout.Kind)
        -> CTelltaleDispatchCounter?
    {
        var words = CTelltaleDispatchCounter()
        guard ctelltale_dispatch_counter(address, &words),
            layout.kinds[words.kind_less_one &+ 1] == kind,
            words.references >= 0, words.references < 1 << 28,
            words.outer_references >= -1, words.outer_references < 1 << 28,
            globals.contains(words.target)
        else { return nil }
        return words
    }

    /// The group at `address`.
    func group(at address: UInt) -> GroupFacts? {
        guard layout.has(.groups), let words = counter(address, .group) else { return nil }
        let state = GroupState(words)
        return GroupFacts(
            address: address, outstanding: state.outstanding, hasWaiters: state.hasWaiters,
            hasNotify: state.hasNotify)
    }

    /// The semaphore at `address`.
    func semaphore(at address: UInt) -> SemaphoreFacts? {
        guard layout.has(.semaphores), let words = counter(address, .semaphore),
            words.original >= 0, words.value > -(1 << 24)
        else { return nil }
        return SemaphoreFacts(address: address, value: words.value, original: words.original)
    }

    /// The timer at `address`.
    func timer(at address: UInt) -> TimerFacts? {
        var words = CTelltaleDispatchQueue()
        var source = CTelltaleDispatchSource()
        guard layout.has(.timers), ctelltale_dispatch_queue(address, &words),
            layout.kinds[words.kind_less_one &+ 1] == .source,
            ctelltale_dispatch_source(address, &source), source.owner == address,
            source.is_timer
        else { return nil }
        let state = DispatchState(words)
        let isSet = source.start > 0 && source.start < UInt64(Int64.max)
        let now = Self.now(source.clock)
        let firesIn = isSet ? (Double(source.start) - Double(now)) / 1e9 : nil
        let repeats = source.interval > 0 && source.interval < UInt64(Int64.max)
        var timer = TimerFacts(address: address)
        timer.queue = words.target == 0 ? nil : words.target
        timer.firesIn = state.isCancelled ? nil : firesIn
        timer.interval = repeats ? Double(source.interval) / 1e9 : nil
        timer.handler = handler(item: source.handler)
        timer.isAfter = source.is_after
        timer.isCancelled = state.isCancelled
        timer.suspendCount = state.suspendCount &+ (state.isInactive ? 1 : 0)
        return timer
    }

    private static func now(_ clock: UInt8) -> UInt64 {
        switch clock {
        case 1: ProcessClocks.sinceBoot
        case 2: WallClock.nanoseconds
        default: MonotonicTime.now.nanoseconds
        }
    }

    private func handler(of address: UInt) -> UInt? {
        var source = CTelltaleDispatchSource()
        guard ctelltale_dispatch_source(address, &source), source.owner == address else {
            return nil
        }
        return handler(item: source.handler)
    }

    private func handler(item address: UInt) -> UInt? {
        guard address != 0, let pages else { return nil }
        var read = CTelltaleDispatchItem()
        guard ctelltale_dispatch_item(pages, address, &read), isItem(read) else { return nil }
        return item(read).function
    }
}
#endif
