#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// How often the agent reads by itself who waits on which event loop, so that the thread of one that has
/// been blocked for long before any command comes is known.
///
/// A reading costs some 10 us a thread (a file of /proc), and is repeated after 2,000 times as long as
/// it took, but every 2 s at most and every 60 s at least: one 2,000th of a core. Nothing but ``EventLoopMemory`` is kept.
final class EventLoopSampling: Sendable {
    /// When the first one is, after the agent's start.
    static let first = Duration.milliseconds(500)
    private static let least = Duration.seconds(2)
    private static let most = Duration.seconds(60)
    private static let pauseFactor = 2000

    private struct State {
        var isUnderWay = false
        var took = Duration.zero
    }

    private let state = Locked(State())

    /// How long after one the next one is.
    var interval: Duration {
        let pause = state.withLock { $0.took } * Self.pauseFactor
        return min(Self.most, max(Self.least, pause))
    }

    /// Whether the caller is to read: nobody else does.
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
    /// Reads who waits on which event loop, on a worker.
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
    /// Notes who waits where. Reads no stack but of those who are seen for the first time, and no names.
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
                loop.array = array.address
                loop.members = array.members
            }
        }
    }

    /// The stacks of those threads of which none is known.
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
        // Only of a thread that still waits as it was seen.
        for thread in result.threads where thread.state == seen[thread.id] {
            frames[thread.id] = Array(thread.frames.suffix(Self.mostFrames))
        }
        return frames
    }
}
#endif
