#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
import TelltaleSystem

/// Where the stack of each thread lives at one moment.
struct LiveStacks {
    struct Stack {
        var thread: Int32
        /// nil of one that runs: it may be anywhere.
        var pointer: UInt?
        var threadPointer: UInt
        var isAgent: Bool
        /// What it sleeps on, of one that sleeps in a futex call.
        var futex: UInt?
        /// Whether it runs an item of a dispatch queue.
        var hasQueue: Bool
        var processorTime: UInt64
    }

    var stacks: [Stack] = []
    /// The items that Dispatch keeps for threads to use again: what they have is left over.
    var cachedItems: Set<UInt> = []
    /// Those whose place can't be told; what they have on their stacks is memory of nobody's.
    var hidden = 0

    /// The stacks of all threads; nil where they can't be listed.
    static func read(_ images: LoadedImages, until deadline: MonotonicTime) -> LiveStacks? {
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
            // Where one lives that has only just been made, or that ends, can't be told for as long as it
            // has no processor: on a busy machine that is tens of milliseconds.
            for length in Self.patience where !hidden.isEmpty {
                let pause = MonotonicTime.now.advanced(by: length)
                _ = TimedCondition(false).wait(until: min(pause, deadline)) { $0 ? true : nil }
                hidden.removeAll { all.add($0, capture, layout) }
            }
            all.hidden = hidden.count
            return all
        }
    }

    /// What is said of so many.
    static func gap(hidden: Int) -> String {
        (hidden == 1 ? "the stack of 1 thread" : "the stacks of \(Quantity.count(hidden)) threads")
            + " could not be found"
    }

    /// 63 ms in all.
    private static let patience: [Duration] = [1, 2, 4, 8, 16, 32].map { .milliseconds($0) }

    /// False where it is there, and where it lives can't be told.
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
#endif
