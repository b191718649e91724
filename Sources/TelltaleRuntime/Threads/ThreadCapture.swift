#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltalePicture
import TelltaleProtocol
package import TelltaleSystem

/// Captures the process's threads: the state and the stack of each.
///
/// A blocked thread is read without being stopped. A running thread is interrupted by ptrace, which stops
/// it for some microseconds. A capture waits for no lock of the host and runs none of its code. Captures
/// are serialised; the next one waits for the current one.
package final class ThreadCapture: Sendable {
    package enum Selection: Sendable {
        case all
        case main
        /// The threads with these ids that exist.
        case only([Int32])
    }

    package enum Stacks: Sendable {
        case none
        /// The stacks of waiting threads that run a task; no thread is interrupted.
        case ofTasks
        /// The stacks of waiting threads; no thread is interrupted.
        case ofWaiting
        case all
    }

    package struct Result: Sendable {
        /// The main thread first, then ascending by id.
        package var threads: [ThreadFacts] = []
        package var total = 0
        /// The number of threads interrupted, for some microseconds each.
        package var interrupted = 0
        /// The longest interruption of one of these threads, in nanoseconds.
        package var longestHold: UInt64 = 0
        /// The missing parts and the reasons, one sentence each.
        package var notes: [String] = []
        /// True if the missing parts may be the very threads that don't move.
        package var isCut = false
        /// The images loaded at that moment; nil if the kernel does not show them.
        var images: LoadedImages?

        fileprivate init(without reason: String) {
            notes = [reason]
            isCut = true
        }
        fileprivate init() {}
    }

    /// The maximum number of threads listed; 4 bytes each.
    static let mostThreads = 16_384
    /// The note about `count` threads that are missing from a capture.
    static func leftOut(_ count: Int) -> String {
        Quantity.count(count, "thread is", "threads are") + " left out"
    }

    /// The maximum number of frames of one stack. Each frame takes 16 bytes, for each thread of a capture.
    static let mostFrames = 512

    fileprivate struct State {
        var handle: OpaquePointer?
        var images: LoadedImages?
    }

    // Guards the capture's memory, which is allocated by the first capture and kept.
    private let state = Locked(State())
    // True while a capture is running. A condition rather than a lock, because it is awaited with a
    // deadline.
    private let turn = TimedCondition(false)

    package init() {}

    deinit {
        state.withLock { state in
            if let handle = state.handle { ctelltale_capture_free(handle) }
            state.handle = nil
        }
    }

    /// The block that holds the copies of stacks, or 0.
    package static var copies: UInt { UInt(bitPattern: ctelltale_interrupts_copies()) }

    /// A summary of the interruptions of running threads since the process began; nil if there were none.
    package var interruptSummary: String? {
        var counts = CTelltaleInterruptCounts()
        ctelltale_interrupt_counts(&counts)
        guard counts.sent > 0 else { return nil }
        let longest = Duration.nanoseconds(Int64(clamping: counts.longest_pause))
        return
            "\(counts.sent) by ptrace: \(counts.late) late, \(counts.cut_short) calls ended "
            + "early; held for \(Quantity.time(longest)) at most"
    }

    /// Captures threads until `deadline`. Threads that are left out at the deadline are counted in the
    /// notes.
    package func capture(
        _ selection: Selection = .all, stacks: Stacks = .all, until deadline: MonotonicTime
    ) -> Result {
        guard MemoryRoom.isEnough else {
            return Result(
                without: "threads are not available: the process has no memory left")
        }
        let isMine = turn.wait(until: deadline) { isTaken -> Bool? in
            guard !isTaken else { return nil }
            isTaken = true
            return true
        }
        guard isMine == true else {
            return Result(
                without: "threads are not available: another capture had not ended in time")
        }
        defer { turn.update { $0 = false } }
        // A directory and one file in it, even in a process that has no free descriptor.
        return DescriptorReserve.shared.makingRoom(for: 3) {
            state.withLock { $0.capture(selection, stacks, until: deadline) }
        }
    }
}

extension ThreadCapture.State {
    fileprivate mutating func capture(
        _ selection: ThreadCapture.Selection, _ stacks: ThreadCapture.Stacks,
        until deadline: MonotonicTime
    ) -> ThreadCapture.Result {
        images = LoadedImages.read(after: images) ?? images
        guard let images else {
            return .init(
                without: "threads are not available: the process's mappings can't be listed")
        }
        if handle == nil { handle = ctelltale_capture_make() }
        guard let handle else {
            return .init(without: "threads are not available: there is no memory")
        }
        let refusal = ctelltale_capture_begin(handle, images.table)
        defer { ctelltale_capture_end(handle) }
        guard refusal == 0 else {
            let error = SystemError("open(/proc/self/task)", code: refusal)
            return .init(without: "threads are not available: \(error)")
        }
        var result = ThreadCapture.Result()
        result.images = images
        if images.isCut { result.notes.append("more shared objects are loaded than are kept") }
        let layout = ThreadLayout.known(by: deadline)
        result.notes += layout.notes
        result.isCut = layout.isBlind
        var reader = ThreadReader(
            capture: handle, images: images, layout: layout, tasks: .known(by: deadline),
            stacks: stacks)
        let ids = reader.ids(selection, &result)
        for (index, id) in ids.enumerated() {
            guard MonotonicTime.now < deadline else {
                result.isCut = true
                result.notes.append("the time was up: \(ThreadCapture.leftOut(ids.count - index))")
                break
            }
            if let thread = reader.thread(id, at: result.threads.count) {
                result.threads.append(thread)
            }
        }
        reader.interruptRunning(&result, until: deadline)
        return result
    }
}
#endif
