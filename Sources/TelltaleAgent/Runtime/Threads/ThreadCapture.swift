#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Captures the process's threads: what each does, and its stack.
///
/// A blocked thread is read without being touched; one that runs is interrupted by ptrace, which holds
/// it for some microseconds. Nothing of the host's is waited for, and none of its code runs. One capture
/// at a time; the next one waits for it.
final class ThreadCapture: Sendable {
    enum Selection: Sendable {
        case all
        case main
        /// Those of these ids that there are.
        case only([Int32])
    }

    enum Stacks: Sendable {
        case none
        /// Those of threads that wait and serve a task; nobody is interrupted.
        case ofTasks
        /// Those of threads that wait; nobody is interrupted.
        case ofWaiting
        case all
    }

    struct Result: Sendable {
        /// The main thread first, then by id.
        var threads: [ThreadFacts] = []
        var total = 0
        /// How many were interrupted, for some microseconds each.
        var interrupted = 0
        /// For how many nanoseconds one of these was held at most.
        var longestHold: UInt64 = 0
        /// What is missing from it and why, a sentence each.
        var notes: [String] = []
        /// What is missing may be just what doesn't move.
        var isCut = false
        /// What was loaded at that moment; nil where the kernel doesn't show it.
        var images: LoadedImages?

        fileprivate init(without reason: String) {
            notes = [reason]
            isCut = true
        }
        fileprivate init() {}
    }

    /// The most threads that are listed; 4 bytes each.
    static let mostThreads = 16_384
    /// What is said of so many threads that aren't in a capture.
    static func leftOut(_ count: Int) -> String {
        Quantity.count(count, "thread is", "threads are") + " left out"
    }

    /// The most frames of one stack; each takes 16 bytes, and of each thread of a capture.
    static let mostFrames = 512

    fileprivate struct State {
        var handle: OpaquePointer?
        var images: LoadedImages?
    }

    // Guards the capture's memory, which is made with the first one and kept.
    private let state = Locked(State())
    // Whose turn it is; waited for until a deadline, which a lock can't be.
    private let turn = TimedCondition(false)

    deinit {
        state.withLock { state in
            if let handle = state.handle { ctelltale_capture_free(handle) }
            state.handle = nil
        }
    }

    /// The block that has the copies of stacks, or 0.
    static var copies: UInt { UInt(bitPattern: ctelltale_interrupts_copies()) }

    /// What interrupting running threads has come to since the process began; nil where none was asked.
    var interruptSummary: String? {
        var counts = CTelltaleInterruptCounts()
        ctelltale_interrupt_counts(&counts)
        guard counts.sent > 0 else { return nil }
        let longest = Duration.nanoseconds(Int64(clamping: counts.longest_pause))
        return
            "\(counts.sent) by ptrace: \(counts.late) late, \(counts.cut_short) calls ended "
            + "early; held for \(Quantity.time(longest)) at most"
    }

    /// Captures threads until `deadline`; those that are left out then are counted in the cuts.
    func capture(
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
        // A folder and one file in it, also in a process that has no descriptor left.
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
