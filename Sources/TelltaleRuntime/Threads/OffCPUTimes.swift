#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltalePicture
package import TelltaleSystem

/// Reads how often threads have run, and for how long they have been off the CPU, from the kernel's
/// scheduler. This tells a wait of an hour from one of a moment at the first capture.
package struct OffCPUTimes {
    private enum Answer {
        case awaited, givenUp
        case clock(UInt64)
    }

    /// The scheduler clock of each core that was read; 0 if the core did not answer.
    private var clocks: [Int32: UInt64] = [:]
    /// The number of cores that did not answer in time.
    private var silent = 0
    /// The maximum number of cores read: each costs a thread and a migration to the core.
    private static let mostCores = 64
    private static let mostSilent = 3
    /// The timeout for one core. If a thread of a higher scheduling class occupies the core, as on an
    /// isolated core, no other thread gets to run there.
    private static let timeout: Duration = .milliseconds(20)
    /// The cores whose clock one of our threads is still waiting to read.
    private let awaitedCores: Locked<Set<Int32>>

    /// - Parameter awaitedCores: One set per process: a forked child has none of these threads.
    package init(awaitedCores: Locked<Set<Int32>>) { self.awaitedCores = awaitedCores }

    /// The time since a thread was created, in seconds; nil if it has ended.
    package static func age(of thread: Int32) -> Double? {
        var age = -1.0
        _ = ctelltale_last_core(thread, &age)
        return age < 0 ? nil : age
    }

    /// The minimum time, in seconds, that a captured thread has been off the CPU; nil if unknown. Only for
    /// waiting threads.
    package mutating func offCPU(
        _ thread: ThreadFacts, since schedule: ThreadSchedules.Schedule
    ) -> Double? {
        guard let lastRan = schedule.lastRan, let core = schedule.core,
            let clock = clock(ofCore: core), clock > lastRan,
            // Otherwise the thread has run since, maybe on another core.
            ThreadSchedules.isUnmoved(thread)
        else { return nil }
        return Double(clock - lastRan) / 1e6
    }

    private mutating func clock(ofCore core: Int32) -> UInt64? {
        if let known = clocks[core] { return known == 0 ? nil : known }
        guard clocks.count < Self.mostCores, silent < Self.mostSilent else { return nil }
        let clock = read(core)
        if clock == nil { silent += 1 }
        clocks[core] = clock ?? 0
        return clock == 0 ? nil : clock
    }

    // Reads the clock on a separate thread, so that only that thread waits for the core. Nil after a
    // timeout.
    private func read(_ core: Int32) -> UInt64? {
        guard awaitedCores.withLock({ $0.insert(core).inserted }) else { return nil }
        let answer = TimedCondition<Answer>(.awaited)
        do throws(SystemError) {
            try NativeThread.start(name: "telltale-clock") { [awaitedCores] in
                let isThere = ctelltale_bind_to_core(core)
                // A thread that is scheduled too late must not take one of the process's last descriptors.
                let isAwaited = answer.update { answer in
                    if case .awaited = answer { return true }
                    return false
                }
                let clock = isThere && isAwaited ? ctelltale_scheduler_clock() : 0
                _ = awaitedCores.withLock { $0.remove(core) }
                answer.update { $0 = .clock(clock) }
            }
        } catch {
            _ = awaitedCores.withLock { $0.remove(core) }
            return nil
        }
        let clock: UInt64? = answer.wait(until: .now.advanced(by: Self.timeout)) { answer in
            if case .clock(let clock) = answer { return clock }
            return nil
        }
        if clock == nil { answer.update { $0 = .givenUp } }
        return clock
    }
}
#endif
