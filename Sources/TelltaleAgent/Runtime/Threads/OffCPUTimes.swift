#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleSystem

/// How often threads have run, and for how long they haven't, as the kernel's scheduler has it: what
/// tells a wait of an hour from one of a moment at the first capture.
struct OffCPUTimes {
    private enum Answer {
        case awaited, givenUp
        case clock(UInt64)
    }

    /// A core's clock, where it was asked for.
    private var clocks: [Int32: UInt64] = [:]
    /// Cores that did not answer in time.
    private var silent = 0
    /// More cores than this are not asked: each costs a thread, and a journey of its.
    private static let mostCores = 64
    private static let mostSilent = 3
    /// How long a core is waited for. One that a thread of a higher class keeps to itself, as on a core
    /// that was isolated for it, lets nobody in.
    private static let timeout: Duration = .milliseconds(20)
    /// Cores on whose clock a thread of ours still waits.
    private let awaitedCores: Locked<Set<Int32>>

    /// - Parameter awaitedCores: One for each process: a forked child has none of these threads.
    init(awaitedCores: Locked<Set<Int32>>) { self.awaitedCores = awaitedCores }

    /// How long ago a thread began, in seconds; nil where it has ended.
    static func age(of thread: Int32) -> Double? {
        var age = -1.0
        _ = ctelltale_last_core(thread, &age)
        return age < 0 ? nil : age
    }

    /// For how many seconds a captured thread hasn't run at least; nil where that can't be told. To be
    /// asked of threads that wait.
    mutating func offCPU(
        _ thread: ThreadFacts, since schedule: ThreadSchedules.Schedule
    ) -> Double? {
        guard let lastRan = schedule.lastRan, let core = schedule.core,
            let clock = clock(ofCore: core), clock > lastRan,
            // Else it ran meanwhile, maybe on another core.
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

    // On a thread of its own, which alone waits for the core; nil where that takes too long.
    private func read(_ core: Int32) -> UInt64? {
        guard awaitedCores.withLock({ $0.insert(core).inserted }) else { return nil }
        let answer = TimedCondition<Answer>(.awaited)
        do throws(SystemError) {
            try NativeThread.start(name: "telltale-clock") { [awaitedCores] in
                let isThere = ctelltale_bind_to_core(core)
                // One that comes too late takes no descriptor from those who need the last ones.
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
