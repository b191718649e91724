#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
package import TelltaleSystem

/// The location of each thread's stack at one moment.
package struct LiveStacks {
    package struct Stack {
        package var thread: Int32
        /// The stack pointer; nil for a running thread, whose stack pointer may be anywhere.
        package var pointer: UInt?
        var threadPointer: UInt
        package var isAgent: Bool
        /// The futex word on which the thread sleeps; nil if it isn't in a futex call.
        package var futex: UInt?
        /// True if the thread may be executing an item of a dispatch queue.
        package var hasQueue: Bool
        package var processorTime: UInt64
    }

    package var stacks: [Stack] = []
    /// The items that Dispatch caches for reuse by its threads; the data in them is left over.
    package var cachedItems: Set<UInt> = []
    /// The number of threads whose stack can't be located; memory on their stacks is attributed to no
    /// thread.
    package var hidden = 0

    /// The stacks of all threads; nil if the threads can't be listed.
    package static func read(_ images: LoadedImages, until deadline: MonotonicTime) -> LiveStacks? {
        let layout = ThreadLayout.known(by: deadline)
        return DescriptorReserve.shared.makingRoom(for: 3) {
            guard let capture = ctelltale_capture_make() else { return nil }
            defer { ctelltale_capture_free(capture) }
            guard ctelltale_capture_begin(capture, images.table) == 0 else { return nil }
            ctelltale_capture_read_local(capture, 0, layout.queueOffset)
            var total = 0
            let ids = [Int32](unsafeUninitializedCapacity: ThreadCapture.mostThreads) {
                buffer, count in
                guard let start = buffer.baseAddress else { return }
                total = ctelltale_capture_threads(capture, start, buffer.count)
                count = min(total, buffer.count)
            }
            guard total > 0, total == ids.count else { return nil }
            var all = LiveStacks()
            var hidden: [Int32] = []
            for id in ids {
                guard .now < deadline else { return nil }
                if !all.add(id, capture, layout) { hidden.append(id) }
            }
            // The stack of a thread that has just been created, or that is ending, can't be located until
            // the thread gets a processor: on a busy machine that takes tens of milliseconds.
            for length in Self.patience where !hidden.isEmpty {
                let pause = MonotonicTime.now.advanced(by: length)
                _ = TimedCondition(false).wait(until: min(pause, deadline)) { $0 ? true : nil }
                hidden.removeAll { all.add($0, capture, layout) }
            }
            all.hidden = hidden.count
            return all
        }
    }

    /// The note about `hidden` threads.
    package static func gap(hidden: Int) -> String {
        (hidden == 1 ? "the stack of 1 thread" : "the stacks of \(Quantity.count(hidden)) threads")
            + " could not be found"
    }

    /// 63 ms in total.
    private static let patience: [Duration] = [1, 2, 4, 8, 16, 32].map { .milliseconds($0) }

    /// Adds a thread. Returns false if it exists and its stack can't be located.
    private mutating func add(
        _ id: Int32, _ capture: OpaquePointer, _ layout: ThreadLayout
    ) -> Bool {
        var thread = CTelltaleThread()
        guard ctelltale_capture_thread(capture, id, &thread, nil, 0) else { return true }
        guard thread.thread_pointer != 0 else { return false }
        cachedItems.formUnion(
            CachedItems.all(threadPointer: thread.thread_pointer, layout: layout))
        let isAsleep =
            thread.is_in_call
            && SystemCallNames.name(of: Int(clamping: thread.call)) == "futex"
        stacks.append(
            Stack(
                thread: id, pointer: thread.stack_pointer == 0 ? nil : thread.stack_pointer,
                threadPointer: thread.thread_pointer, isAgent: ctelltale_is_agent_thread(id),
                futex: isAsleep ? UInt(truncatingIfNeeded: thread.arguments.0) : nil,
                hasQueue: layout.queueOffset == 0 || thread.words.0 != 0,
                processorTime: thread.processor_time))
        return true
    }
}

/// The free list of items that Dispatch caches per thread. The data in these items is left over.
///
/// Each item of the list records the length of the list from there on (`dispatch_cache_key` and
/// `_dispatch_continuation_free_cacheonly` of swift-6.3.1). A list that does not count down to 1 is not
/// valid.
enum CachedItems {
    /// The offset from the thread-local slot of the queue to that of the list.
    private static let distance: UInt = 16
    private static let countOffset: UInt = 8
    private static let nextOffset: UInt = 16
    private static let most = 4096

    /// Returns the cached items of a thread; empty if there is no valid list.
    static func all(threadPointer: UInt, layout: ThreadLayout) -> [UInt] {
        guard layout.has(.queues), layout.queueOffset != 0 else { return [] }
        let place = threadPointer &+ UInt(bitPattern: layout.queueOffset) &+ distance
        var items: [UInt] = []
        var next = GuardedMemory.load(UInt.self, at: place) ?? 0
        var expected: Int32?
        while next != 0 {
            guard next & 7 == 0, items.count < most,
                let count = GuardedMemory.load(Int32.self, at: next &+ countOffset),
                let after = GuardedMemory.load(UInt.self, at: next &+ nextOffset), count > 0,
                expected.map({ $0 == count }) ?? true, (after == 0) == (count == 1)
            else { return [] }
            items.append(next)
            expected = count - 1
            next = after
        }
        return items
    }
}
#endif
