#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// The interval at which the agent samples the threads that wait on event loops, so that the thread of a
/// loop that blocked long before the first command is known.
///
/// A sample costs some 10 us for each thread (a file of /proc). It is repeated after 2,000 times its
/// duration, but at least 2 s and at most 60 s later: one 2,000th of a core. Only ``EventLoopMemory`` is
/// kept.
final class EventLoopSampling: Sendable {
    /// The delay of the first sample after the agent's start.
    static let first = Duration.milliseconds(500)
    private static let least = Duration.seconds(2)
    private static let most = Duration.seconds(60)
    private static let pauseFactor = 2000

    private struct State {
        var isUnderWay = false
        var took = Duration.zero
    }

    private let state = Locked(State())

    /// The delay from one sample to the next.
    var interval: Duration {
        let pause = state.withLock { $0.took } * Self.pauseFactor
        return min(Self.most, max(Self.least, pause))
    }

    /// Returns true if the caller should take a sample, since none is running.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isUnderWay else { return false }
            state.isUnderWay = true
            return true
        }
    }

    func end(after took: Duration) {
        state.withLock { state in
            state.isUnderWay = false
            state.took = took
        }
    }
}

extension Agent {
    /// Samples the threads that wait on event loops, on a worker.
    func sampleEventLoops() {
        let sampling = shared.eventLoopSampling
        guard MemoryRoom.isEnough, sampling.begin() else { return }
        workers.submit { [self] in
            let began = MonotonicTime.now
            shared.eventLoops.sample(
                with: shared.threads, until: began.advanced(by: .milliseconds(200)))
            sampling.end(after: MonotonicTime.now.since(began))
        }
    }
}

extension EventLoopMemory {
    /// Records the waiting threads of each loop. Reads stacks only for threads that are seen for the first
    /// time, and no names.
    func sample(with capture: ThreadCapture, until deadline: MonotonicTime) {
        let threads = capture.capture(.all, stacks: .none, until: deadline).threads
        let reading = EventLoopReading(threads, self, isShort: true, until: deadline)
        var waiting: [Key: [Int32]] = [:]
        for descriptor in reading.descriptors where !descriptor.waiting.isEmpty {
            waiting[.descriptor(descriptor.descriptor.number)] = descriptor.waiting
        }
        for array in reading.arrays { waiting[.array(array.thread)] = [array.thread] }
        let stacks = frames(of: waiting, capture, threads, until: deadline)
        for descriptor in reading.descriptors {
            let key = Key.descriptor(descriptor.descriptor.number)
            guard let ids = waiting[key] else { continue }
            _ = update(key, marks: descriptor.marks) { loop in
                for id in ids { loop.note(id, stacks[id] ?? []) }
            }
        }
        let facts = Dictionary(threads.map { ($0.id, $0) }) { first, _ in first }
        for number in attended where waiting[.descriptor(number)] == nil {
            _ = update(.descriptor(number), marks: nil) { $0.noteAway(facts) }
        }
        for array in reading.arrays {
            _ = update(.array(array.thread), marks: nil) { loop in
                loop.note(array.thread, stacks[array.thread] ?? [])
                loop.members = array.members
            }
        }
    }

    /// Returns the stacks of those threads whose stack is not known yet.
    private func frames(
        of waiting: [Key: [Int32]], _ capture: ThreadCapture, _ threads: [ThreadFacts],
        until deadline: MonotonicTime
    ) -> [Int32: [RawFrame]] {
        let new = waiting.flatMap { key, ids in
            let known = Set(
                loop(key)?.waiters.filter { !$0.frames.isEmpty }.map(\.thread) ?? [])
            return ids.filter { !known.contains($0) }
        }
        guard !new.isEmpty else { return [:] }
        let seen = Dictionary(threads.map { ($0.id, $0.state) }) { first, _ in first }
        let result = capture.capture(.only(new), stacks: .ofWaiting, until: deadline)
        var frames: [Int32: [RawFrame]] = [:]
        // Only for a thread whose wait has not changed.
        for thread in result.threads where thread.state == seen[thread.id] {
            frames[thread.id] = Array(thread.frames.suffix(Self.mostFrames))
        }
        return frames
    }
}
#endif
