#if TELLTALE_AGENT
import TelltaleSystem

/// Distinguishes a process that was stopped from one whose machine was busy.
///
/// The agent's thread reads the clock when its wait ends: at every tick of its heartbeat, and at each
/// event. A clock alone isn't enough: after a halt of the machine, a wait for a core and a debugger's stop,
/// the sample is late in the same way. The number of times that the thread went to sleep within one wait
/// tells them apart. A thread that is stopped (SIGSTOP, a debugger, a frozen cgroup) is woken for the stop
/// and sleeps again until it may continue; a thread that is merely late has slept once.
struct PauseDetector: Sendable {
    struct Sample: Sendable, Equatable {
        var time: MonotonicTime
        /// Bounds of the time that the machine has slept since it booted, in nanoseconds.
        var asleep: ClosedRange<UInt64>
        /// Processor time of the process, in nanoseconds.
        var processorTime: UInt64
        /// The time that this thread has waited for a core while it was runnable.
        var runDelay: UInt64

        /// Reads the clocks, which takes some 2 µs; reading the file is most of that.
        static func now(_ clock: RunDelayClock?) -> Sample {
            Sample(
                time: .now, asleep: ProcessClocks.asleep,
                processorTime: ProcessClocks.processorTime, runDelay: clock?.nanoseconds ?? 0)
        }
    }

    /// A pause, as far as the clocks show it.
    struct Pause: Sendable, Equatable {
        var atLeast: Duration
        var atMost: Duration
        /// True if SIGCONT ended it.
        var wasContinued: Bool
        /// True if the machine slept in the meantime.
        var machineSlept: Bool
        /// The rest of `atMost` after subtracting the time in which the thread waited for a core.
        var undelayed: Duration = .zero
    }

    /// The sleeps of the thread since the last sample.
    enum Sleep: Sendable, Equatable {
        /// At most one sleep within its wait, and none outside of it.
        case plain
        /// More than one sleep within one wait: the thread was stopped.
        case held
        /// A sleep outside of its wait. The thread was stopped there, which is likelier on a busy machine,
        /// or it waited for a lock or a file.
        case interrupted
        /// The system provides no counts.
        case unknown

        /// - Parameters:
        ///   - last: The number of sleeps at the last sample.
        ///   - wait: The number before the wait and after it.
        ///   - now: The number at this sample.
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
        /// The pause that has ended; reported once.
        var pause: Pause?
        /// The delay of the sample, if nothing proves a pause that is worth a line.
        var late: Duration?
    }

    /// The delay that a wake-up may have on a busy machine although the process was not stopped. It only
    /// widens the interval.
    static let slack = Duration.milliseconds(5)
    /// The minimum length of a reported stop that no SIGCONT ended.
    static let shortest = Duration.seconds(1)
    static let lateness = Duration.milliseconds(100)
    /// The number of samples for which a stop waits for the SIGCONT that may have ended it.
    private static let mostSamples = 4

    private let tick: Duration
    private var last: Sample
    private var candidate: (pause: Pause, samples: Int)?

    /// `tick` is the maximum time that the thread sleeps between two samples.
    init(tick: Duration, now: Sample) {
        self.tick = tick
        last = now
    }

    /// True while a stop waits for a SIGCONT that may still arrive; the next sample is due within 50 ms.
    var isUndecided: Bool { candidate != nil }

    /// Evaluates the clocks, the thread's sleeps since the last sample, and the arrival of SIGCONT, if
    /// there was one since. The usual result is empty.
    mutating func observe(_ now: Sample, sleep: Sleep, continued: MonotonicTime?) -> Finding {
        defer { last = now }
        let stop = stop(now, sleep: sleep, continued: continued)
        if let stop {
            // The handler may run just before or just after this thread notices that it was stopped.
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

    // No SIGCONT has arrived.
    private static func settled(_ stop: Pause) -> Finding {
        stop.undelayed >= shortest ? Finding(pause: stop) : Finding(late: stop.atMost)
    }

    // The stop of the thread since the last sample; nil if there was none.
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
            // Time in which this thread waited for a core is not a stop. A gap in which the process
            // computed is not one either: in all measured stops it used at most 0.2 ms.
            let used = Duration.nanoseconds(
                Int64(clamping: Self.difference(now.processorTime, last.processorTime)))
            isProven = (idle > tick * 3 && used < gap / 4) || (continued != nil && isLate)
        }
        guard machineSlept || isProven else { return nil }
        let end = continued.map { min($0, now.time) } ?? now.time
        let atMost = max(end.since(last.time), .zero) + (machineSlept ? machineSleep : .zero)
        // Waiting for a core, before or after the stop, is not part of the stop.
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
