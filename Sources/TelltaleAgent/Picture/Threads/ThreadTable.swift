#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleSystem

/// Looks at the process's threads: what each does, and its stack.
///
/// A blocked thread is read without being touched; one that runs is asked by SIGPROF, which holds it
/// for some microseconds. Nothing of the host's is waited for, and none of
/// its code runs. One look at a time; the next one waits for it.
final class ThreadTable: Sendable {
    /// Which threads are looked at.
    enum Selection: Sendable {
        case all
        case main
        /// Those of these ids that there are.
        case only([Int32])
    }

    /// What one look gave.
    struct Look: Sendable {
        /// The main thread first, then by id.
        var samples: [ThreadFacts] = []
        /// How many threads there are.
        var total = 0
        /// How many were interrupted by a signal, for some microseconds each.
        var asked = 0
        /// For how many nanoseconds one of these was held at most.
        var longestHold: UInt64 = 0
        /// What is missing from it and why, a sentence each.
        var cuts: [String] = []
        /// What was loaded at that moment; nil where the kernel doesn't show it.
        var images: LoadedImages?

        /// Where queue and task of a thread lie; what isn't known of it is a cut.
        fileprivate mutating func storageLayout(isFirst: Bool) -> LocalStorageLayout? {
            // 2 ms after the start of the agent, and known from then on. Where Dispatch gave it no
            // thread in that time the next look doesn't wait again.
            let patience = MonotonicTime.now.advanced(by: .milliseconds(isFirst ? 100 : 0))
            switch LocalStorageLayout.learnt.value(until: patience) {
            case .success(var layout):
                // The contexts of tasks are followed only where a task is laid out as it is known.
                if !TaskLayout.shared(until: patience).has(.frames) { layout.jobRunner = 0 }
                if let reason = layout.queueReason {
                    cuts.append("the queue of a thread is not available: \(reason)")
                }
                if let reason = layout.taskReason {
                    cuts.append("the task of a thread is not available: \(reason)")
                }
                return layout
            case .failure(let reason):
                cuts.append("queue and task of a thread are not available: \(reason)")
                return nil
            }
        }
    }

    /// The most threads that are listed; 4 bytes each.
    static let mostThreads = 16_384
    /// The most frames of one stack; each takes 16 bytes, and of each thread of a look.
    static let mostFrames = 512

    private struct State {
        var capture: OpaquePointer?
        var images: LoadedImages?
        /// Whether a look has waited for the places of queue and task already.
        var hasWaited = false
    }

    // Guards the capture's memory, which is made with the first look and kept.
    private let state = Locked(State())
    // Whose turn it is; waited for until a deadline, which a lock can't be.
    private let turn = TimedCondition(false)

    deinit {
        state.withLock { state in
            if let capture = state.capture { ctelltale_capture_free(capture) }
            state.capture = nil
        }
    }

    /// Gives SIGPROF back where the last look could not: a thread that blocked it may get it yet.
    ///
    /// - Returns: Whether it is as the host had it.
    func giveSignalBack() -> Bool { ctelltale_ask_give_back() }

    /// What asking running threads has come to since the process began; nil where none was asked.
    var askedSummary: String? {
        var counts = CTelltaleAskCounts()
        ctelltale_ask_counts(&counts)
        guard counts.asked > 0 else { return nil }
        let longest = Duration.nanoseconds(Int64(clamping: counts.longest_pause))
        return
            "\(counts.asked) by SIGPROF: \(counts.late) late, \(counts.interrupted) calls ended "
            + "early; held for \(Text.seconds(longest)) at most"
    }

    /// Looks at threads until `deadline`; those that are left out then are counted in the cuts.
    ///
    /// - Parameters:
    ///   - selection: Which ones.
    ///   - withFrames: Whether to read their stacks.
    ///   - deadline: When to stop.
    /// - Returns: What was seen, and what is missing from it.
    func look(
        at selection: Selection = .all, withFrames: Bool = true, until deadline: MonotonicTime
    ) -> Look {
        guard MemoryRoom.isEnough else {
            var look = Look()
            look.cuts.append("threads are not available: the process has no memory left")
            return look
        }
        let isMine = turn.wait(until: deadline) { isTaken -> Bool? in
            guard !isTaken else { return nil }
            isTaken = true
            return true
        }
        guard isMine == true else {
            var look = Look()
            look.cuts.append("threads are not available: another look had not ended in time")
            return look
        }
        defer { turn.update { $0 = false } }
        // A folder and one file in it, also in a process that has no descriptor left.
        return DescriptorReserve.shared.makingRoom(for: 2) {
            taken(selection, withFrames, until: deadline)
        }
    }

    private func taken(
        _ selection: Selection, _ withFrames: Bool, until deadline: MonotonicTime
    ) -> Look {
        state.withLock { state in
            var look = Look()
            state.images = LoadedImages.read(after: state.images) ?? state.images
            look.images = state.images
            guard let images = state.images else {
                look.cuts.append(
                    "threads are not available: the process's mappings can't be listed")
                return look
            }
            if images.isCut { look.cuts.append("more shared objects are loaded than are kept") }
            if state.capture == nil { state.capture = ctelltale_capture_make() }
            guard let capture = state.capture else {
                look.cuts.append("threads are not available: there is no memory")
                return look
            }
            let refusal = ctelltale_capture_begin(capture, images.table)
            defer { ctelltale_capture_end(capture) }
            guard refusal == 0 else {
                let error = SystemError("open(/proc/self/task)", code: refusal)
                look.cuts.append("threads are not available: \(error)")
                return look
            }
            let layout = look.storageLayout(isFirst: !state.hasWaited)
            state.hasWaited = true
            var reader = ThreadReader(
                capture: capture, images: images, layout: layout, withFrames: withFrames)
            let ids = reader.ids(selection, &look)
            for (index, id) in ids.enumerated() {
                guard MonotonicTime.now < deadline else {
                    look.cuts.append(
                        "the time was up: \(ids.count - index) threads are left out")
                    break
                }
                if let sample = reader.sample(of: id, at: look.samples.count) {
                    look.samples.append(sample)
                }
            }
            reader.askRunning(&look, until: deadline)
            return look
        }
    }
}
#endif
