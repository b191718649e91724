#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// The threads that were seen waiting on each event loop, kept from one reading to the next. The kernel
/// tells which threads wait on a descriptor; it doesn't tell which thread will come back to it.
///
/// A loop is identified by its descriptor's number. Numbers are reused, so the loop is recognised only if
/// it still watches something that it watched before. A thread's array of descriptors is identified by the
/// thread. At most ``mostLoops`` are kept, of some 2 KB each, and ``mostWaiters`` threads for each; the
/// entry that was read longest ago is evicted.
final class EventLoopMemory: Sendable {
    struct Waiter: Sendable {
        var thread: Int32
        /// The thread's stack while it waited, which names the host function that waits.
        var frames: [RawFrame]
    }

    enum Key: Sendable, Hashable {
        case descriptor(Int32)
        /// The `poll` array of this thread.
        case array(Int32)
    }

    struct Loop: Sendable {
        var id: UInt64
        var marks: Set<UInt64> = []
        /// The thread that was seen last comes first.
        var waiters: [Waiter] = []
        /// The members of an array.
        var members: [LoopDescriptors.Member] = []
        var label: String?
        var make: EventLoopFacts.Make?
        /// Marks a loop of Dispatch itself.
        var isDispatchs = false
        /// The time since which no waiting thread has been seen, and its threads have not run.
        var away: MonotonicTime?
        /// The processor time of its threads when no waiting thread was seen.
        private var used = Duration.zero
        fileprivate var last: MonotonicTime

        fileprivate init(id: UInt64, last: MonotonicTime) {
            self.id = id
            self.last = last
        }

        /// Records that no thread waits on it.
        mutating func noteAway(_ threads: [Int32: ThreadFacts]) {
            let used = waiters.reduce(Duration.zero) {
                $0 + (threads[$1.thread]?.processorTime ?? .zero)
            }
            if away == nil || used != self.used { away = .now }
            self.used = used
        }

        /// Records that a thread waits on it.
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
    /// The number of frames that are kept for each stack.
    static let mostFrames = 64

    fileprivate struct State {
        var loops: [Key: Loop] = [:]
        var next: UInt64 = 1
    }

    private let state = Locked(State())

    /// The loop with that key; nil if it has not been seen.
    func loop(_ key: Key) -> Loop? { state.withLock { $0.loops[key] } }

    /// The known descriptors on which a thread has waited.
    var attended: [Int32] {
        state.withLock { state in
            state.loops.compactMap { key, loop in
                if case .descriptor(let number) = key, !loop.waiters.isEmpty { number } else { nil }
            }
        }
    }

    /// All known arrays.
    var arrayLoops: [(thread: Int32, loop: Loop)] {
        state.withLock { state in
            state.loops.compactMap { key, loop in
                if case .array(let thread) = key { (thread, loop) } else { nil }
            }
        }
    }

    /// Records a reading of a loop. If the loop watches nothing that it watched before, its recorded data
    /// is dropped first.
    ///
    /// - Returns: The updated record.
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

    /// Drops loops whose descriptor is closed, arrays of threads that have ended, and such threads in other
    /// loops.
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
