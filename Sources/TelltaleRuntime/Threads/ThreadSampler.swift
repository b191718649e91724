#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleProtocol
package import TelltaleSystem

/// Looks at all threads again and again, and counts where they are.
///
/// The times are the kernel's: a thread's clock says for how long it has been on a core since the last look, and
/// all of it is counted for the stack with which it is seen running next; in the same way for waits. A thread
/// whose clock stands still has its last stack. A waiting thread is read as it is; a running one is stopped by
/// ptrace, as for `stack`: no signal is sent and no timer is set, so that nothing is left behind.
package struct ThreadSampler {
    private struct Watched {
        var clock: UInt64
        var ready: UInt64
        var looked: MonotonicTime
        var owedCPU: UInt64 = 0
        var owedReady: UInt64 = 0
        var owedOff: UInt64 = 0
        var stack: Int?
        var isSeen = false
        var isRunning = false
    }

    /// Restricts the profile to one thread, or to a queue by the end of its label.
    package var thread: Int32?
    package var queue: String?

    package private(set) var result = SampledStacks()
    package private(set) var looks = 0
    package private(set) var threads = 0
    package private(set) var calls = 0
    /// The processor time of the process without this thread's, in nanoseconds: also of threads that came and
    /// went between two looks. Of one thread or queue, what was seen.
    package private(set) var processorTime: UInt64 = 0
    package private(set) var notes: [String] = []

    private let capture: OpaquePointer
    private var images: LoadedImages
    private let layout: ThreadLayout
    private let dispatch: DispatchReader
    private var watched: [Int32: Watched] = [:]
    private var labels: [UInt: String?] = [:]
    private var frames: [CTelltaleFrame]
    private var batch: [CTelltaleFrame]
    private var refusals = 0
    private let main = ProcessIdentity.pid
    private static let none = CTelltaleFrame(address: 0, kind: CTelltaleFramePC)
    private static let mostFrames = 256
    /// After so many refusals in a row no thread is stopped any more.
    private static let mostRefusals = 3

    package init?(until deadline: MonotonicTime) {
        guard let images = LoadedImages.read(), let capture = ctelltale_capture_make() else {
            return nil
        }
        self.images = images
        self.capture = capture
        layout = .known(by: deadline)
        dispatch = DispatchReader(layout: .known(by: deadline), deadline: deadline)
        frames = Array(repeating: Self.none, count: Self.mostFrames)
        batch = Array(repeating: Self.none, count: Self.mostFrames * Int(CTELLTALE_INTERRUPTED))
        let tasks = TaskLayout.known(by: deadline)
        ctelltale_capture_read_local(capture, 0, layout.queueOffset)
        ctelltale_capture_read_local(capture, 1, layout.taskOffset)
        ctelltale_capture_follow_tasks(
            capture, tasks.has(.frames) && tasks.has(.allocations) ? layout.jobRunner : 0)
    }

    /// Frees the memory; to be called once, at the end.
    package func free() { ctelltale_capture_free(capture) }

    /// Looks `rate` times a second, at uneven distances so that no rhythm of the service's is met, until the end.
    package mutating func run(until end: MonotonicTime, rate: Int, isOver: () -> Bool) {
        var counts = CTelltaleInterruptCounts()
        ctelltale_interrupt_counts(&counts)
        let before = counts.cut_short
        let used = Self.servicesTime
        var next = MonotonicTime.now
        while .now < end, !isOver() {
            DescriptorReserve.shared.makingRoom(for: 3) { look() }
            looks += 1
            next = next.advanced(by: .seconds(Double.random(in: 0.5...1.5) / Double(rate)))
            let now = MonotonicTime.now
            if next > now { NativeThread.sleep(min(next, end).since(now)) } else { next = now }
            ForkGate.rest()
        }
        ctelltale_interrupt_counts(&counts)
        calls = Int(clamping: counts.cut_short &- before)
        let now = Self.servicesTime
        if thread == nil, queue == nil {
            processorTime = now > used ? now - used : 0
        } else {
            processorTime = result.stacks.reduce(0) { $0 &+ $1.times.cpu }
        }
    }

    private static var servicesTime: UInt64 {
        let (own, all) = (ProcessClocks.threadTime, ProcessClocks.processorTime)
        return all > own ? all - own : 0
    }

    private mutating func look() {
        if looks.isMultiple(of: 100) {
            images = LoadedImages.read(after: images) ?? images
            labels = [:]
        }
        guard ctelltale_capture_begin(capture, images.table) == 0 else { return }
        defer { ctelltale_capture_end(capture) }
        list()
        var running: [CTelltaleThread] = []
        for (id, state) in watched {
            var state = state
            guard var thread = moved(id, &state) else {
                watched[id] = state
                continue
            }
            let isThere = frames.withUnsafeMutableBufferPointer {
                ctelltale_capture_thread(capture, id, &thread, $0.baseAddress, $0.count)
            }
            if isThere {
                if thread.end == CTelltaleStackRunning || thread.end == CTelltaleStackMoving {
                    running.append(thread)
                } else {
                    settle(&state, &thread, frames[...])
                }
            }
            watched[id] = state
        }
        stop(running)
    }

    private mutating func list() {
        var ids = [Int32](repeating: 0, count: ThreadCapture.mostThreads)
        let count = min(ctelltale_capture_threads(capture, &ids, ids.count), ids.count)
        let now = MonotonicTime.now
        let present = Set(ids.prefix(count))
        watched = watched.filter { present.contains($0.key) }
        for id in present where watched[id] == nil && (thread == nil || thread == id) {
            guard !ctelltale_is_agent_thread(id) else { continue }
            var clock: UInt64 = 0
            guard ctelltale_thread_clock(id, &clock) else { continue }
            // All that a thread of after the start has used belongs to the profile.
            watched[id] = Watched(
                clock: looks == 0 ? clock : 0, ready: ctelltale_thread_ready_time(id), looked: now)
            threads += 1
        }
    }

    /// Counts the times of a thread since the last look; nil if it hasn't run since.
    private mutating func moved(_ id: Int32, _ state: inout Watched) -> CTelltaleThread? {
        var clock: UInt64 = 0
        guard ctelltale_thread_clock(id, &clock) else { return nil }
        let now = MonotonicTime.now
        let passed = now.nanoseconds - min(state.looked.nanoseconds, now.nanoseconds)
        state.looked = now
        guard clock != state.clock || !state.isSeen else {
            if state.isRunning {
                result.count(state.stack, ready: passed)
            } else {
                result.count(state.stack, offCore: passed)
            }
            return nil
        }
        let used = clock > state.clock ? clock - state.clock : 0
        let ready = ctelltale_thread_ready_time(id)
        let waited = ready > state.ready ? ready - state.ready : 0
        state.clock = clock
        state.ready = max(ready, state.ready)
        state.isSeen = true
        state.owedCPU += used
        state.owedReady += waited
        state.owedOff += passed > used &+ waited ? passed - used - waited : 0
        return CTelltaleThread()
    }

    /// Counts what a thread is owed for the stack that it has.
    private mutating func settle(
        _ state: inout Watched, _ thread: inout CTelltaleThread,
        _ frames: ArraySlice<CTelltaleFrame>
    ) {
        let isRunning = thread.pause > 0
        guard isRunning || thread.frame_count > 0 else { return }
        let origin = origin(of: &thread)
        if let queue, origin != queue, !origin.hasSuffix("." + queue) {
            // Time elsewhere isn't asked for, and isn't the queue's when the thread comes back.
            state.stack = nil
            (state.owedCPU, state.owedReady, state.owedOff) = (0, 0, 0)
            return
        }
        let call =
            isRunning
            ? nil
            : SystemCall(
                number: Int(clamping: thread.call),
                arguments: [UInt(thread.arguments.0), UInt(thread.arguments.1)],
                name: SystemCallNames.name(of: Int(clamping: thread.call)))
        state.isRunning = isRunning
        state.stack = result.add(
            frames.prefix(thread.frame_count).map(RawFrame.init), origin: origin, call: call,
            thread: thread.id)
        if isRunning {
            result.count(state.stack, cpu: state.owedCPU, ready: state.owedReady)
            state.owedCPU = 0
            state.owedReady = 0
        } else {
            result.count(state.stack, offCore: state.owedOff)
            state.owedOff = 0
        }
    }

    /// Stops the threads that were seen running, and reads their stacks.
    private mutating func stop(_ running: [CTelltaleThread]) {
        var left = running[...]
        while !left.isEmpty, refusals < Self.mostRefusals {
            var part = Array(left.prefix(Int(CTELLTALE_INTERRUPTED)))
            left = left.dropFirst(part.count)
            batch.withUnsafeMutableBufferPointer { batch in
                guard let start = batch.baseAddress else { return }
                ctelltale_capture_interrupt(capture, &part, part.count, start, Self.mostFrames)
            }
            for (index, thread) in part.enumerated() {
                var thread = thread
                guard var state = watched[thread.id] else { continue }
                if let reason = ThreadReader.gap(thread.end, refusal: thread.refusal),
                    thread.end == CTelltaleStackRefused || thread.end == CTelltaleStackFiltered
                {
                    refusals += 1
                    if refusals == Self.mostRefusals {
                        notes.append("running threads were not seen: a thread: " + reason)
                    }
                } else if thread.frame_count > 0 {
                    refusals = 0
                    let first = index * Self.mostFrames
                    settle(&state, &thread, batch[first..<(first + Self.mostFrames)])
                }
                watched[thread.id] = state
            }
        }
    }

    /// The queue of a thread, or the name of the thread.
    private mutating func origin(of thread: inout CTelltaleThread) -> String {
        let word = thread.words.0
        if word != 0 {
            if labels[word] == nil { labels[word] = .some(dispatch.label(of: word)) }
            if let label = labels[word].flatMap(\.self), !label.isEmpty {
                return label.escaped(limit: 128)
            }
        }
        if thread.id == main { return "main thread" }
        let name = withUnsafeBytes(of: &thread.name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return "thread " + name.escaped(limit: 64)
    }
}
#endif
