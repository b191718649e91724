#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import CTelltaleSystem
    import Dispatch
    import Synchronization
    import TelltaleAgentSystem

    /// Tries the layout of libdispatch's objects on some of our own, in states that are known because we
    /// have put them there.
    ///
    /// Nothing of the host's is touched. What is only made, counted and let go needs no thread of
    /// Dispatch; the few items that have to be run off at the end go through a ``DispatchSubmitter``,
    /// and where Dispatch has no thread for them they stay in a queue of ours until it has.
    struct DispatchSelfTest {
        private var layout = DispatchLayout()
        private let submitter = DispatchSubmitter()

        /// How long is waited for what another thread does.
        private static let patience = Duration.milliseconds(500)

        /// Tries all of it: 1 to 2 ms where nothing else runs.
        static func run() -> DispatchLayout {
            #if os(Linux) && (arch(x86_64) || arch(arm64))
                var test = DispatchSelfTest()
                test.tryAll()
                return test.layout
            #else
                return .none("libdispatch's objects are laid out differently on this system")
            #endif
        }

        #if os(Linux) && (arch(x86_64) || arch(arm64))
            private mutating func fail(_ part: DispatchLayout.Part, _ reason: String) {
                if layout.failures[part] == nil { layout.failures[part] = reason }
            }

            private mutating func tryAll() {
                if let reason = tryQueues() {
                    layout = .none(reason)
                    return
                }
                if let reason = tryStates() {
                    for part in [DispatchLayout.Part.states, .items, .blocks, .workItems] {
                        fail(part, reason)
                    }
                    fail(.syncWaiters, reason)
                } else {
                    tryItems()
                    if layout.has(.items) {
                        trySyncWaiter()
                    } else {
                        fail(.syncWaiters, "the items could not be read")
                    }
                }
                tryQualityOfService()
                tryCounters()
                tryTimers()
            }

            // MARK: Queues

            private static func read(_ queue: UInt) -> CTelltaleDispatchQueue? {
                var words = CTelltaleDispatchQueue()
                return ctelltale_dispatch_queue(queue, &words) ? words : nil
            }

            private static func state(of queue: UInt) -> DispatchState? {
                read(queue).map { DispatchState($0) }
            }

            private mutating func tryQueues() -> String? {
                var label: UInt16 = 0
                var serial: UInt16 = 0
                var width: UInt16 = 0
                var target: UInt16 = 0
                let version = ctelltale_dispatch_table(&label, &serial, &width, &target)
                guard version >= 6 else {
                    return "libdispatch says no offsets of its queues, or in another form"
                }
                guard label == 72, serial == 64, width == 80, target == 24 else {
                    return "libdispatch says other offsets of its queues than are known"
                }
                let names = [
                    "telltale.try.serial", "telltale.try.concurrent", "telltale.try.inactive",
                ]
                let made = names.enumerated().map {
                    ctelltale_dispatch_make_queue($0.element, Int32($0.offset), 0)
                }
                guard made.allSatisfy({ $0 != 0 }) else { return "a queue could not be made" }
                defer {
                    ctelltale_dispatch_activate(made[2])
                    for queue in made { ctelltale_dispatch_release(queue) }
                }
                let read = made.compactMap(Self.read)
                guard read.count == 3 else { return "the process's memory can't be read" }
                for (words, name) in zip(read, names)
                where DispatchText.string(at: words.label, limit: 64) != name {
                    return "the label of a queue of our own was not read back"
                }
                guard read[0].serial > 0, read[1].serial > read[0].serial,
                    read[2].serial > read[1].serial
                else { return "the serial numbers of queues of our own were not read back" }
                let states = read.map(DispatchState.init)
                guard states[0].width == 1, states[1].width > 1, states[2].width == 1 else {
                    return "the widths of queues of our own were not read back"
                }
                let globals = Self.globalQueues
                guard globals.contains(read[0].target), globals.contains(read[1].target) else {
                    return "the targets of queues of our own were not read back"
                }
                for (words, kind) in zip(read, [DispatchLayout.Kind.serial, .concurrent]) {
                    layout.kinds[words.kind_less_one &+ 1] = kind
                }
                if let words = Self.read(ctelltale_dispatch_main_queue()) {
                    layout.kinds[words.kind_less_one &+ 1] = .main
                }
                if let first = globals.first, let words = Self.read(first) {
                    layout.kinds[words.kind_less_one &+ 1] = .global
                }
                guard layout.kinds.count == 4 else { return "kinds of queues can't be told apart" }
                if !(states[2].isInactive && !states[0].isInactive && !states[1].isInactive) {
                    fail(.states, "an inactive queue of our own was not seen as one")
                }
                return nil
            }

            /// The global queues that there are, by asking for them.
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

            // MARK: States

            private final class Seen {
                let queue: UInt
                var state: DispatchState?
                init(queue: UInt) { self.queue = queue }
            }

            // On a queue that nobody else knows `sync` runs at once, on this thread.
            private static func stateInside(_ queue: UInt) -> DispatchState? {
                let seen = Seen(queue: queue)
                withExtendedLifetime(seen) {
                    ctelltale_dispatch_sync(queue, Unmanaged.passUnretained(seen).toOpaque()) {
                        guard let context = $0 else { return }
                        let seen = Unmanaged<Seen>.fromOpaque(context).takeUnretainedValue()
                        seen.state = DispatchSelfTest.state(of: seen.queue)
                    }
                }
                return seen.state
            }

            private mutating func tryStates() -> String? {
                if let failed = layout.failures[.states] { return failed }
                let serial = ctelltale_dispatch_make_queue("telltale.try.states", 0, 0)
                let wide = ctelltale_dispatch_make_queue("telltale.try.width", 1, 0)
                guard serial != 0, wide != 0 else { return "a queue could not be made" }
                var suspensions = 0
                defer {
                    for _ in 0..<suspensions { ctelltale_dispatch_resume(serial) }
                    ctelltale_dispatch_release(serial)
                    ctelltale_dispatch_release(wide)
                }
                guard let idle = Self.state(of: serial), idle.suspendCount == 0, idle.owner == nil,
                    idle.widthInUse == 0, !idle.isInBarrier, !idle.isEnqueued,
                    Self.state(of: wide)?.widthInUse == 0
                else { return "an idle queue of our own was not seen as one" }
                // More than fit into the state word, so that some are counted elsewhere.
                while suspensions < 70 {
                    ctelltale_dispatch_suspend(serial)
                    suspensions += 1
                    guard Self.state(of: serial)?.suspendCount == suspensions else {
                        return "suspensions of a queue of our own were not counted right"
                    }
                }
                while suspensions > 0 {
                    ctelltale_dispatch_resume(serial)
                    suspensions -= 1
                }
                let own = Int32(truncatingIfNeeded: ctelltale_thread_id())
                guard let inside = Self.stateInside(serial), inside.owner == own,
                    inside.isInBarrier, inside.widthInUse == 1
                else { return "the thread inside a queue of our own was not seen" }
                guard let reader = Self.stateInside(wide), !reader.isInBarrier,
                    reader.widthInUse == 1
                else { return "a reader inside a queue of our own was not seen" }
                guard let after = Self.state(of: serial), after.owner == nil, !after.isInBarrier,
                    after.suspendCount == 0
                else { return "a queue of our own was not seen to be idle again" }
                return nil
            }

            // MARK: Items

            private static let ran = Atomic<Int>(0)
            private typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void
            private static let plain: Function = { _ in ran.wrappingAdd(1, ordering: .relaxed) }
            private static let barrier: Function = { _ in ran.wrappingAdd(2, ordering: .relaxed) }
            private static let grouped: Function = { _ in ran.wrappingAdd(3, ordering: .relaxed) }

            private static func address(of function: Function) -> UInt {
                unsafeBitCast(function, to: UInt.self)
            }

            /// Whether `code` lies near our own code, where our closures lie.
            private static func isOurs(_ code: UInt) -> Bool {
                let own = address(of: plain)
                return (code > own ? code &- own : own &- code) < 1 << 28
            }

            private mutating func tryItems() {
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
                fail(.items, "a queue of our own was not seen to be empty again")
            }

            private static func items(of queue: UInt) -> [CTelltaleDispatchItem] {
                guard let pages = ctelltale_dispatch_pages_make() else { return [] }
                defer { ctelltale_dispatch_pages_end(pages) }
                return [CTelltaleDispatchItem](unsafeUninitializedCapacity: 16) { buffer, count in
                    let walk = ctelltale_dispatch_items(
                        pages, queue, buffer.baseAddress, 16, 100,
                        MonotonicTime.now.advanced(by: patience).nanoseconds)
                    count = min(walk.written, 16)
                }
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

            // MARK: A thread in sync

            private struct Waiter {
                var thread: Int32 = 0
                var isDone = false
            }

            private mutating func trySyncWaiter() {
                let queue = ctelltale_dispatch_make_queue("telltale.try.sync", 1, 0)
                guard queue != 0 else { return fail(.syncWaiters, "a queue could not be made") }
                ctelltale_dispatch_suspend(queue)
                let waiter = TimedCondition(Waiter())
                do throws(SystemError) {
                    try NativeThread.start(name: "telltale-try", stackBytes: 256 << 10) {
                        waiter.update {
                            $0.thread = Int32(truncatingIfNeeded: ctelltale_thread_id())
                        }
                        ctelltale_dispatch_sync(queue, nil) { _ in }
                        waiter.update { $0.isDone = true }
                    }
                } catch {
                    ctelltale_dispatch_resume(queue)
                    ctelltale_dispatch_release(queue)
                    layout.isWorthRetrying = true
                    return fail(.syncWaiters, "there was no thread to try it with")
                }
                let deadline = MonotonicTime.now.advanced(by: Self.patience)
                var found: CTelltaleDispatchItem?
                while found == nil, .now < deadline {
                    found = Self.items(of: queue).first
                    if found == nil { Moment.short() }
                }
                let thread = waiter.update { $0.thread }
                if let found {
                    if found.flags & 1 == 0 || found.waiter != thread || thread == 0 {
                        fail(.syncWaiters, "a thread of our own in sync was not read back")
                    }
                } else {
                    layout.isWorthRetrying = true
                    fail(.syncWaiters, "a thread of our own did not get to wait in time")
                }
                // With nothing else in it the queue is handed to the waiter itself.
                ctelltale_dispatch_resume(queue)
                let isDone = waiter.wait(until: deadline) { $0.isDone ? true : nil } ?? false
                // Where it isn't done the thread still uses the queue, which stays.
                if isDone { ctelltale_dispatch_release(queue) }
            }

            // MARK: The rest

            private mutating func tryQualityOfService() {
                // Linux has no user-interactive class: what asks for it gets the next one.
                let expected: [(UInt32, [String?])] = [
                    (0, [nil]), (0x09, ["background"]), (0x11, ["utility"]), (0x15, ["default"]),
                    (0x19, ["user-initiated"]), (0x21, ["user-initiated", "user-interactive"]),
                ]
                for (qos, names) in expected {
                    let queue = ctelltale_dispatch_make_queue("telltale.try.qos", 0, qos)
                    guard queue != 0 else {
                        return fail(.qualityOfService, "a queue could not be made")
                    }
                    let state = Self.state(of: queue)
                    ctelltale_dispatch_release(queue)
                    guard let state, names.contains(state.requestedQoS) else {
                        return fail(
                            .qualityOfService, "that of a queue of our own was not read back")
                    }
                }
            }

            private static func counter(_ address: UInt) -> CTelltaleDispatchCounter? {
                var words = CTelltaleDispatchCounter()
                return ctelltale_dispatch_counter(address, &words) ? words : nil
            }

            private mutating func tryCounters() {
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
                        fail(.groups, "a group of our own was not read back")
                    }
                } else {
                    fail(.groups, "a group could not be made")
                }
                let semaphore = ctelltale_dispatch_make_semaphore(7)
                guard semaphore != 0 else {
                    return fail(.semaphores, "a semaphore could not be made")
                }
                let words = Self.counter(semaphore)
                ctelltale_dispatch_release(semaphore)
                if let words, words.value == 7, words.original == 7 {
                    layout.kinds[words.kind_less_one &+ 1] = .semaphore
                } else {
                    fail(.semaphores, "a semaphore of our own was not read back")
                }
            }

            private mutating func tryTimers() {
                guard layout.has(.items) else {
                    return fail(.timers, "the items of queues could not be read")
                }
                let queue = ctelltale_dispatch_make_queue("telltale.try.timer", 0, 0)
                guard queue != 0 else { return fail(.timers, "a queue could not be made") }
                let interval: UInt64 = 12_345_000_000
                let start = MonotonicTime.now.nanoseconds
                let timer = ctelltale_dispatch_make_timer(queue, 1000, interval, Self.plain)
                guard timer != 0 else {
                    ctelltale_dispatch_release(queue)
                    return fail(.timers, "a timer could not be made")
                }
                let hasPending = Self.isSet(timer, start, interval, isPending: true)
                let kind = Self.read(timer)?.kind_less_one
                // What isn't active must not be let go, and becoming active needs Dispatch.
                guard submitter.submit({ ctelltale_dispatch_activate(timer) }) else {
                    layout.isWorthRetrying = true
                    return fail(.timers, "Dispatch can have no thread now to try it with")
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
                    layout.isWorthRetrying = !isArmed
                    return fail(.timers, "a timer of our own was not read back")
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
        #endif
    }
#endif
