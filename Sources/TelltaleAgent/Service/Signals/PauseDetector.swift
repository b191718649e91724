#if TELLTALE_AGENT
import TelltaleSystem

/// Tells a process that was stopped from one whose machine had other things to do.
///
/// The agent's thread looks at the clock when its wait ends: with every tick of its heartbeat, and
/// when something came. A clock alone can't tell: a halted machine, a thread that had no processor and
/// a debugger's stop all look late. What tells is how often the thread went to sleep within its one
/// wait. A thread that is stopped (SIGSTOP, a debugger, a frozen cgroup) is woken for that and sleeps
/// again until it may go on; one that is merely late has slept once.
struct PauseDetector: Sendable {
    struct Sample: Sendable, Equatable {
        var time: MonotonicTime
        /// For how long the machine had slept since it booted, in nanoseconds: at least and at most this.
        var asleep: ClosedRange<UInt64>
        /// Processor time of the process, in nanoseconds.
        var processorTime: UInt64
        /// For how long this thread has waited for a core while it could have run.
        var runDelay: UInt64

        /// Reads the clocks: some 2 µs, of which the file is most.
        static func now(_ clock: RunDelayClock?) -> Sample {
            Sample(
                time: .now, asleep: ProcessClocks.asleep,
                processorTime: ProcessClocks.processorTime, runDelay: clock?.nanoseconds ?? 0)
        }
    }

    /// A pause, and what can be told of it from the clocks.
    struct Pause: Sendable, Equatable {
        var atLeast: Duration
        var atMost: Duration
        /// Whether SIGCONT ended it.
        var wasContinued: Bool
        /// Whether the machine slept meanwhile.
        var machineSlept: Bool
        /// What is left of `atMost` without the time in which the thread waited for a core.
        var undelayed: Duration = .zero
    }

    /// How the thread has slept since the last sample.
    enum Sleep: Sendable, Equatable {
        /// Once, or not at all, in its wait, and not beside it.
        case plain
        /// More than once within its one wait: it was stopped.
        case held
        /// Beside its wait: it was stopped there, which a busy machine makes likelier, or waited for a
        /// lock or a file.
        case interrupted
        /// The system doesn't tell.
        case unknown

        /// - Parameters:
        ///   - last: How often it had slept at the last sample.
        ///   - wait: Before the wait and after it.
        ///   - now: At this sample.
        init(last: Int?, wait: PollSet.Sleeps?, now: Int?) {
            guard let last, let wait, let now else {
                self = .unknown
                return
            }
            if wait.after - wait.before > 1 {
                self = .held
            } else {
                self = wait.before > last || now > wait.after ? .interrupted : .plain
            }
        }
    }

    struct Finding: Sendable, Equatable {
        /// The pause that has ended, once.
        var pause: Pause?
        /// How late the sample was, where nothing proves a pause that is worth a line.
        var late: Duration?
    }

    /// How late a wake-up may be on a busy machine without the process having been stopped. It
    /// makes the interval wider and nothing else.
    static let slack = Duration.milliseconds(5)
    /// A stop that no SIGCONT ended is told if it may have been as long as this.
    static let shortest = Duration.seconds(1)
    static let lateness = Duration.milliseconds(100)
    /// For how many samples a stop waits for the SIGCONT that may have ended it.
    private static let mostSamples = 4

    private let tick: Duration
    private var last: Sample
    private var candidate: (pause: Pause, samples: Int)?

    /// `tick` is how long the thread sleeps at most between two samples.
    init(tick: Duration, now: Sample) {
        self.tick = tick
        last = now
    }

    /// Whether a stop waits for the SIGCONT that may still come; the next sample is due within 50 ms.
    var isUndecided: Bool { candidate != nil }

    /// Judges the clocks, how the thread has slept since the last sample, and when SIGCONT came, if
    /// it has since then. It comes to nothing as a rule.
    mutating func observe(_ now: Sample, sleep: Sleep, continued: MonotonicTime?) -> Finding {
        defer { last = now }
        let stop = stop(now, sleep: sleep, continued: continued)
        if let stop {
            // The handler may run just before or just after this thread sees that it was stopped.
            let earlier = candidate
            candidate = continued == nil ? (stop, Self.mostSamples) : nil
            if continued != nil { return Finding(pause: stop) }
            return earlier.map { Self.settled($0.pause) } ?? Finding()
        }
        if var (waiting, samples) = candidate {
            if continued != nil {
                candidate = nil
                waiting.wasContinued = true
                return Finding(pause: waiting)
            }
            samples -= 1
            candidate = samples > 0 ? (waiting, samples) : nil
            return samples > 0 ? Finding() : Self.settled(waiting)
        }
        let late = now.time.since(last.time) - tick
        return Finding(late: late > Self.lateness ? late : nil)
    }

    // No SIGCONT came.
    private static func settled(_ stop: Pause) -> Finding {
        stop.undelayed >= shortest ? Finding(pause: stop) : Finding(late: stop.atMost)
    }

    // The stop that the thread has come through since the last sample; nil if there was none.
    private func stop(_ now: Sample, sleep: Sleep, continued: MonotonicTime?) -> Pause? {
        let gap = now.time.since(last.time)
        let machineSleep = Duration.nanoseconds(
            Int64(
                clamping: Self.difference(now.asleep.lowerBound, last.asleep.upperBound)))
        let machineSlept = machineSleep > .milliseconds(100)
        let delayed = Duration.nanoseconds(
            Int64(clamping: Self.difference(now.runDelay, last.runDelay)))
        let idle = gap - delayed
        let isLate = idle > tick + tick / 2
        let isProven: Bool
        switch sleep {
        case .held: isProven = true
        case .plain: isProven = continued != nil && isLate
        case .interrupted: isProven = isLate && (continued != nil || idle >= Self.shortest)
        case .unknown:
            // Time in which this thread waited for a core is no stop, nor is a gap in which the
            // process computed: in all measured stops it used 0.2 ms at most.
            let used = Duration.nanoseconds(
                Int64(clamping: Self.difference(now.processorTime, last.processorTime)))
            isProven = (idle > tick * 3 && used < gap / 4) || (continued != nil && isLate)
        }
        guard machineSlept || isProven else { return nil }
        let end = continued.map { min($0, now.time) } ?? now.time
        let atMost = max(end.since(last.time), .zero) + (machineSlept ? machineSleep : .zero)
        // Waiting for a core, before the stop or after it, is none of it.
        return Pause(
            atLeast: max(
                atMost - tick - delayed - Self.slack, machineSlept ? machineSleep : .zero),
            atMost: atMost,
            wasContinued: continued != nil, machineSlept: machineSlept,
            undelayed: max(atMost - delayed, .zero))
    }

    private static func difference(_ later: UInt64, _ earlier: UInt64) -> UInt64 {
        later > earlier ? later - earlier : 0
    }
}
#endif
