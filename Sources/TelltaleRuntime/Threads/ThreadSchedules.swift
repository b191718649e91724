#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltalePicture
package import TelltaleSystem

/// A cache of the kernel's scheduler data for threads that haven't run since it was read.
///
/// A thread's processor time has a resolution of a nanosecond and is part of every capture, so it shows if
/// the thread has run since. The kernel's files are read again only for threads that have: 15 µs per
/// thread. Of a service's thousand threads, most are idle.
package final class ThreadSchedules: Sendable {
    package struct Schedule: Sendable {
        fileprivate let processorTime: Duration
        /// The number of context switches of the thread.
        package let switches: UInt64
        /// The time when the thread last ran, in microseconds of its core's scheduler clock; nil if the
        /// kernel does not report it.
        let lastRan: UInt64?
        /// The core on which the thread last ran; nil if the kernel does not report it.
        let core: Int32?
        /// The time when the thread was created; nil if the kernel does not report it.
        package let birth: MonotonicTime?
    }

    private let known = Locked<[Int32: Schedule]>([:])

    package init() {}

    /// Returns the scheduler data of a thread as it was captured; nil if the kernel reports none.
    ///
    /// For a thread that has run since the capture, only the switches and the creation time are set. Takes
    /// 0.1 µs for a cached thread.
    package func schedule(of thread: ThreadFacts) -> Schedule? {
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

    /// Returns true if the thread hasn't run since it was captured. Takes 0.3 µs.
    static func isUnmoved(_ thread: ThreadFacts) -> Bool {
        processorTime(of: thread.id).map {
            .nanoseconds(Int64(clamping: $0)) == thread.processorTime
        } ?? false
    }

    /// The processor time of a thread since its creation, in nanoseconds; nil if it has ended. Takes 0.3
    /// µs.
    package static func processorTime(of thread: Int32) -> UInt64? {
        var time: UInt64 = 0
        return ctelltale_thread_clock(thread, &time) ? time : nil
    }

    /// Removes all other threads from the cache.
    package func keep(_ threads: [ThreadFacts]) {
        let ids = Set(threads.map(\.id))
        known.withLock { known in known = known.filter { ids.contains($0.key) } }
    }
}
#endif
