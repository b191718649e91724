#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleSystem

/// What the kernel's scheduler said of threads that haven't run since.
///
/// A thread's processor time, which every capture has anyway, tells to the nanosecond whether it has. The
/// kernel's files are read anew only of those that did: 15 µs a thread, of which a service with a thousand
/// has most at rest.
final class ThreadSchedules: Sendable {
    struct Schedule: Sendable {
        fileprivate let processorTime: Duration
        /// How often the kernel gave it a core or took it away.
        let switches: UInt64
        /// When it last ran, in microseconds of its core's scheduler clock; nil where that isn't said.
        let lastRan: UInt64?
        /// The core on which that was; nil where that isn't said.
        let core: Int32?
        /// When it began; nil where that isn't said.
        let birth: MonotonicTime?
    }

    private let known = Locked<[Int32: Schedule]>([:])

    /// What is known of a thread as it was captured; nil where the kernel says nothing of it.
    ///
    /// One that has run since the capture has its switches only. 0.1 µs where it was known.
    func schedule(of thread: ThreadFacts) -> Schedule? {
        if let known = known.withLock({ $0[thread.id] }),
            known.processorTime == thread.processorTime
        {
            return known
        }
        var read = CTelltaleSchedule()
        guard ctelltale_thread_schedule(thread.id, &read) else { return nil }
        var age = -1.0
        let core = ctelltale_last_core(thread.id, &age)
        let now = MonotonicTime.now.nanoseconds
        let birth =
            age < 0 ? nil : MonotonicTime(nanoseconds: now - min(now, UInt64(age * 1e9)))
        guard Self.isUnmoved(thread) else {
            return Schedule(
                processorTime: thread.processorTime, switches: read.switches, lastRan: nil,
                core: nil, birth: birth)
        }
        let schedule = Schedule(
            processorTime: thread.processorTime, switches: read.switches,
            lastRan: read.last_ran > 0 ? read.last_ran : nil, core: core >= 0 ? core : nil,
            birth: birth)
        known.withLock { $0[thread.id] = schedule }
        return schedule
    }

    /// Whether it hasn't run since it was captured. 0.3 µs.
    static func isUnmoved(_ thread: ThreadFacts) -> Bool {
        processorTime(of: thread.id).map {
            .nanoseconds(Int64(clamping: $0)) == thread.processorTime
        } ?? false
    }

    /// What a thread has used since it began, in nanoseconds; nil where it has ended. 0.3 µs.
    static func processorTime(of thread: Int32) -> UInt64? {
        var time: UInt64 = 0
        return ctelltale_thread_clock(thread, &time) ? time : nil
    }

    /// Forgets all others.
    func keep(_ threads: [ThreadFacts]) {
        let ids = Set(threads.map(\.id))
        known.withLock { known in known = known.filter { ids.contains($0.key) } }
    }
}
#endif
