#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// Who was seen waiting on which event loop, kept from one reading to the next: the kernel says who waits on
/// a descriptor, and nobody says who will come back to it.
///
/// A loop is known by its descriptor's number, and again only where it watches something that it watched
/// before: numbers are used again. A thread's array of descriptors is known by the thread. At most
/// ``mostLoops`` are kept, of some 2 KB each, and ``mostWaiters`` threads of each; what was read
/// longest ago makes room.
final class EventLoopMemory: Sendable {
    /// A thread that was seen waiting.
    struct Waiter: Sendable {
        var thread: Int32
        /// Its stack while it waited: which function of the host's waits.
        var frames: [RawFrame]
    }

    enum Key: Sendable, Hashable {
        case descriptor(Int32)
        /// The thread's array.
        case array(Int32)
    }

    struct Loop: Sendable {
        var id: UInt64
        var marks: Set<UInt64> = []
        /// Who was seen last comes first.
        var waiters: [Waiter] = []
        /// Of an array: where it is, and what it asks for.
        var array: UInt?
        var members: [LoopDescriptors.Member] = []
        var label: String?
        var make: EventLoopFacts.Make?
        /// It is Dispatch's own.
        var isDispatchs = false
        /// Since when nobody has been seen waiting, and its threads have not run.
        var away: MonotonicTime?
        /// Processor time that its threads had used when nobody was seen waiting.
        private var used = Duration.zero
        fileprivate var last: MonotonicTime

        fileprivate init(id: UInt64, last: MonotonicTime) {
            self.id = id
            self.last = last
        }

        /// Notes that nobody waits on it.
        mutating func noteAway(_ threads: [Int32: ThreadFacts]) {
            let used = waiters.reduce(Duration.zero) {
                $0 + (threads[$1.thread]?.processorTime ?? .zero)
            }
            if away == nil || used != self.used { away = .now }
            self.used = used
        }

        /// Notes that a thread waits on it.
        mutating func note(_ thread: Int32, _ frames: [RawFrame]) {
            let known = waiters.first { $0.thread == thread }
            waiters.removeAll { $0.thread == thread }
            let kept = frames.isEmpty ? known?.frames ?? [] : frames
            waiters.insert(Waiter(thread: thread, frames: kept), at: 0)
            if waiters.count > EventLoopMemory.mostWaiters { waiters.removeLast() }
            away = nil
        }
    }

    static let mostLoops = 256
    static let mostWaiters = 8
    /// Frames of a stack that are kept.
    static let mostFrames = 64

    fileprivate struct State {
        var loops: [Key: Loop] = [:]
        var next: UInt64 = 1
    }

    private let state = Locked(State())

    /// The loop of that key; nil for one that wasn't seen.
    func loop(_ key: Key) -> Loop? { state.withLock { $0.loops[key] } }

    /// The array with which each thread was seen in `poll` last.
    var arrays: [Int32: UInt] {
        state.withLock { state in
            var arrays: [Int32: UInt] = [:]
            for case (.array(let thread), let loop) in state.loops { arrays[thread] = loop.array }
            return arrays
        }
    }

    /// The descriptors that are known, with somebody who waited on them.
    var attended: [Int32] {
        state.withLock { state in
            state.loops.compactMap { key, loop in
                if case .descriptor(let number) = key, !loop.waiters.isEmpty { number } else { nil }
            }
        }
    }

    /// All arrays that are known.
    var arrayLoops: [(thread: Int32, loop: Loop)] {
        state.withLock { state in
            state.loops.compactMap { key, loop in
                if case .array(let thread) = key { (thread, loop) } else { nil }
            }
        }
    }

    /// Notes what a reading saw of a loop; of one that watches nothing that it watched before, all that was
    /// known is forgotten.
    ///
    /// - Returns: What is known of it now.
    func update(
        _ key: Key, marks: Set<UInt64>?, _ change: (inout Loop) -> Void
    ) -> Loop {
        state.withLock { state in
            var loop = state.loops[key]
            if let known = loop, let marks, !known.marks.isEmpty, !marks.isEmpty,
                known.marks.isDisjoint(with: marks)
            {
                loop = nil
            }
            var known = loop ?? Loop(id: state.takeID(), last: .now)
            if let marks { known.marks = marks }
            known.last = .now
            change(&known)
            if loop == nil, state.loops[key] == nil, state.loops.count >= Self.mostLoops,
                let oldest = state.loops.min(by: { $0.value.last < $1.value.last })
            {
                state.loops[oldest.key] = nil
            }
            state.loops[key] = known
            return known
        }
    }

    /// Forgets loops whose descriptor is closed, arrays of threads that have ended, and such threads.
    func keep(descriptors: Set<Int32>, threads: Set<Int32>) {
        state.withLock { state in
            for (key, loop) in state.loops {
                switch key {
                case .descriptor(let number) where !descriptors.contains(number):
                    state.loops[key] = nil
                case .array(let thread) where !threads.contains(thread): state.loops[key] = nil
                default:
                    if loop.waiters.contains(where: { !threads.contains($0.thread) }) {
                        state.loops[key]?.waiters.removeAll { !threads.contains($0.thread) }
                    }
                }
            }
        }
    }
}

extension EventLoopMemory.State {
    fileprivate mutating func takeID() -> UInt64 {
        defer { next &+= 1 }
        return next
    }
}
#endif
