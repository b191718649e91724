#if TELLTALE_AGENT
package import CTelltaleSystem
package import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Converts the data of one capture of threads into facts. Used under the capture's lock.
struct ThreadReader {
    private let capture: OpaquePointer
    private let stacks: ThreadCapture.Stacks
    private var frames: [CTelltaleFrame]
    private let main = ProcessIdentity.pid
    private let own = Int32(truncatingIfNeeded: NativeThread.currentID)

    private let images: LoadedImages
    private let layout: ThreadLayout
    /// The image that the first word (isa) of every queue points into.
    private let queueImage: UInt64?
    private var running: [(index: Int, thread: CTelltaleThread)] = []

    init(
        capture: OpaquePointer, images: LoadedImages, layout: ThreadLayout, tasks: TaskLayout,
        stacks: ThreadCapture.Stacks
    ) {
        self.capture = capture
        self.stacks = stacks
        self.images = images
        self.layout = layout
        queueImage = images.image(holding: layout.queueKind)?.serial
        ctelltale_capture_read_local(capture, 0, layout.queueOffset)
        ctelltale_capture_read_local(capture, 1, layout.taskOffset)
        ctelltale_capture_read_local(capture, 2, tasks.executorSlot)
        ctelltale_capture_read_local(capture, 3, layout.frameOffset)
        // Task contexts are followed only if the layout of tasks is calibrated.
        ctelltale_capture_follow_tasks(
            capture, tasks.has(.frames) && tasks.has(.allocations) ? layout.jobRunner : 0)
        let none = CTelltaleFrame(address: 0, kind: CTelltaleFramePC)
        let room =
            switch stacks {
            case .none: 0
            case .ofTasks, .ofWaiting, .all: ThreadCapture.mostFrames
            }
        frames = Array(repeating: none, count: room)
    }

    /// The ids to capture, the main thread's first.
    func ids(_ selection: ThreadCapture.Selection, _ result: inout ThreadCapture.Result) -> [Int32]
    {
        var total = 0
        var ids = [Int32](unsafeUninitializedCapacity: ThreadCapture.mostThreads) {
            buffer, count in
            guard let start = buffer.baseAddress else { return }
            total = ctelltale_capture_threads(capture, start, buffer.count)
            count = min(total, buffer.count)
        }
        result.total = total
        switch selection {
        case .main: return ids.filter { $0 == main }
        case .only(let wanted):
            let wanted = Set(wanted)
            ids.removeAll { !wanted.contains($0) }
        case .all:
            if total > ids.count {
                result.isCut = true
                result.notes.append(
                    "there are \(Quantity.count(total)) threads: "
                        + ThreadCapture.leftOut(total - ids.count))
            }
        }
        if let index = ids.firstIndex(of: main) {
            ids.remove(at: index)
            ids.insert(main, at: 0)
        }
        return ids
    }

    /// Captures one thread; nil if it has ended.
    ///
    /// A running thread is queued for ``interruptRunning(_:until:)``.
    mutating func thread(_ id: Int32, at index: Int) -> ThreadFacts? {
        var thread = CTelltaleThread()
        switch stacks {
        case .none, .ofTasks, .ofWaiting:
            guard ctelltale_capture_thread(capture, id, &thread, nil, 0) else { return nil }
            let facts = facts(of: &thread, [])
            guard case .waiting = facts.state else { return facts }
            switch stacks {
            case .ofTasks where facts.task != nil: break
            case .ofWaiting: break
            default: return facts
            }
        case .all: break
        }
        let isThere = frames.withUnsafeMutableBufferPointer {
            ctelltale_capture_thread(capture, id, &thread, $0.baseAddress, $0.count)
        }
        guard isThere else { return nil }
        let isRunning =
            thread.end == CTelltaleStackRunning || thread.end == CTelltaleStackMoving
        if case .all = stacks, id != own, isRunning { running.append((index, thread)) }
        return facts(of: &thread, frames[...])
    }

    /// Interrupts the threads that were seen running, in batches.
    mutating func interruptRunning(
        _ result: inout ThreadCapture.Result, until deadline: MonotonicTime
    ) {
        let most = Int(CTELLTALE_INTERRUPTED)
        let each = frames.count
        let none = CTelltaleFrame(address: 0, kind: CTelltaleFramePC)
        var room: [CTelltaleFrame] = []
        while !running.isEmpty {
            let part = running.prefix(most)
            running.removeFirst(part.count)
            guard MonotonicTime.now < deadline else {
                result.notes.append(
                    "the time was up: \(part.count + running.count) running threads were not interrupted"
                )
                return
            }
            if room.isEmpty { room = Array(repeating: none, count: part.count * each) }
            var threads = part.map(\.thread)
            room.withUnsafeMutableBufferPointer { room in
                guard let start = room.baseAddress else { return }
                ctelltale_capture_interrupt(capture, &threads, threads.count, start, each)
            }
            for ((index, _), (place, thread)) in zip(part, threads.enumerated()) {
                var thread = thread
                guard result.threads.indices.contains(index) else { continue }
                if thread.pause > 0 {
                    result.interrupted += 1
                    result.longestHold = max(result.longestHold, thread.pause)
                }
                result.threads[index] = facts(of: &thread, room[(place * each)...])
            }
        }
    }

    private func facts(
        of thread: inout CTelltaleThread, _ frames: ArraySlice<CTelltaleFrame>
    ) -> ThreadFacts {
        var facts = ThreadFacts(id: thread.id, state: state(thread))
        facts.name = name(&thread)
        facts.isMain = thread.id == main
        facts.isAgent = ctelltale_is_agent_thread(thread.id)
        facts.processorTime = .nanoseconds(Int64(clamping: thread.processor_time))
        facts.queue = queue(thread.words.0)
        facts.queueFrame = thread.words.3 == 0 ? nil : thread.words.3
        facts.task = task(thread.words.1)
        facts.executor = executor(thread.words.2)
        facts.frames = frames.prefix(thread.frame_count).map(RawFrame.init)
        if thread.stack_pointer != 0, thread.stack_pointer < thread.thread_pointer {
            facts.liveStack = thread.stack_pointer..<thread.thread_pointer
        }
        facts.threadPointer = thread.thread_pointer == 0 ? nil : thread.thread_pointer
        facts.gap = thread.id == own ? "it makes this list" : Self.gap(thread)
        return facts
    }

    /// Decodes the runtime's executor tracking slot.
    private func executor(_ word: UInt) -> UInt? {
        let executor = word == 0 ? 0 : ctelltale_executor_of(word)
        return executor == 0 ? nil : executor
    }

    /// The maximum length of a thread name in the kernel, in bytes.
    private static let longestName = 15

    private func name(_ thread: inout CTelltaleThread) -> String {
        withUnsafeBytes(of: &thread.name) {
            let bytes = $0.prefix { $0 != 0 }
            return HostLabel.shown(
                String(decoding: bytes, as: UTF8.self), isWhole: bytes.count < Self.longestName)
        }
    }

    /// The word as a queue address; nil if it does not point to a queue.
    private func queue(_ word: UInt) -> UInt? {
        guard word != 0, let queueImage, let kind = GuardedMemory.load(UInt.self, at: word),
            images.image(holding: kind)?.serial == queueImage
        else { return nil }
        return word
    }

    /// The word as a task address; nil if it does not point to a task.
    private func task(_ word: UInt) -> UInt? {
        guard word != 0, layout.taskKind != 0,
            GuardedMemory.load(UInt.self, at: word) == layout.taskKind
        else { return nil }
        return word
    }

    private func state(_ thread: CTelltaleThread) -> ThreadFacts.State {
        switch thread.state {
        case CChar(UInt8(ascii: "T")), CChar(UInt8(ascii: "t")): return .stopped
        case CChar(UInt8(ascii: "R")): return .running
        case CChar(UInt8(ascii: "Z")), CChar(UInt8(ascii: "X")): return .unknown("it is ending")
        case 0: return .unknown("the kernel doesn't say")
        default: break
        }
        let number = Int(clamping: thread.call)
        let words = thread.arguments
        return .waiting(
            SystemCall(
                number: number,
                arguments: thread.is_in_call
                    ? [words.0, words.1, words.2, words.3, words.4, words.5].map {
                        UInt(truncatingIfNeeded: $0)
                    } : [],
                name: SystemCallNames.name(of: number)))
    }

    private static func gap(_ thread: CTelltaleThread) -> String? {
        if let reason = gap(thread.end, refusal: thread.refusal) { return reason }
        return thread.has_lost_leaf
            ? "the kernel doesn't show who called the innermost function: it is missing" : nil
    }

    /// The reason why a stack ends before the thread's entry function; nil if it is complete.
    static func gap(_ end: CTelltaleStackEnd, refusal: Int32 = 0) -> String? {
        switch end {
        case CTelltaleStackWhole, CTelltaleStackNotWanted: nil
        case CTelltaleStackFull:
            "only the innermost \(ThreadCapture.mostFrames) frames are shown"
        case CTelltaleStackTooLarge: "the stack goes on beyond the 1 MiB that is read of it"
        case CTelltaleStackLost: "the caller of the last frame can't be told"
        case CTelltaleStackMoving: "it went on each time that it was looked at"
        case CTelltaleStackRunning: "it is running"
        case CTelltaleStackRefused:
            "it is running, and was not interrupted: the kernel refused "
                + SystemError("ptrace", code: refusal).description
        case CTelltaleStackFiltered:
            "it is running, and was not interrupted: a seccomp filter was installed after start()"
        case CTelltaleStackNoAnswer: "it is running, and did not stop in time"
        case CTelltaleStackHidden: "the kernel doesn't show where it is"
        case CTelltaleStackGone: "it has ended"
        default: "stacks can't be read on this processor"
        }
    }
}

extension RawFrame {
    package init(_ frame: CTelltaleFrame) {
        let kind: Kind =
            switch frame.kind {
            case CTelltaleFramePC: .programCounter
            case CTelltaleFrameAsync: .asyncResume
            default: .returnAddress
            }
        self.init(address: frame.address, kind: kind)
    }
}
#endif
