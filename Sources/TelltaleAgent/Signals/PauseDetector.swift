#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentSystem

    /// Tells from the clocks that the process was stopped, and for how long.
    ///
    /// The agent's thread looks at the clock with every tick of its heartbeat. A gap means that it
    /// did not run; the clocks beside tell whether the process was stopped, or only this thread kept
    /// waiting for a core.
    struct PauseDetector: Sendable {
        /// What is read at each look.
        struct Sample: Sendable, Equatable {
            var time: MonotonicTime
            /// Nanoseconds since boot, with the time that the machine slept.
            var sinceBoot: UInt64
            /// Processor time of the process, in nanoseconds.
            var processorTime: UInt64
            /// For how long this thread has waited for a core while it could have run.
            var runDelay: UInt64

            /// Reads the clocks: some 2 µs, of which the file is most.
            static func now(_ clock: RunDelayClock?) -> Sample {
                Sample(
                    time: .now, sinceBoot: ProcessClocks.sinceBoot,
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
        }

        /// How late a wake-up may be on a busy machine without the process having been stopped. It
        /// makes the interval wider and nothing else.
        static let slack = Duration.milliseconds(5)

        private let tick: Duration
        private var last: Sample
        private var candidate: Pause?
        /// A gap that only SIGCONT can make a pause, and for how many looks that is waited for.
        private var doubtful: (pause: Pause, looks: Int)?

        /// - Parameters:
        ///   - tick: How long the thread sleeps at most between two looks.
        ///   - now: The first look.
        init(tick: Duration, now: Sample) {
            self.tick = tick
            last = now
        }

        /// Whether a gap waits for the SIGCONT that may still come; look again within a tick.
        var isUndecided: Bool { candidate != nil }

        /// Looks at the clocks.
        ///
        /// - Parameters:
        ///   - now: The clocks.
        ///   - continued: When SIGCONT came, if it has since the last look.
        /// - Returns: The pause that has ended, once.
        mutating func look(_ now: Sample, continued: MonotonicTime?) -> Pause? {
            defer { last = now }
            if let (found, isCertain) = gap(now, continued: continued) {
                doubtful = isCertain ? nil : (found, 4)
                // The handler may run just before or just after this thread sees the gap.
                if continued != nil {
                    candidate = nil
                    doubtful = nil
                    return found
                }
                let earlier = candidate
                candidate = isCertain ? found : nil
                return earlier
            }
            if var waiting = candidate {
                candidate = nil
                waiting.wasContinued = continued != nil
                return waiting
            }
            if let (pause, looks) = doubtful {
                var waiting = pause
                doubtful = looks > 1 ? (waiting, looks - 1) : nil
                guard continued != nil else { return nil }
                doubtful = nil
                waiting.wasContinued = true
                return waiting
            }
            return nil
        }

        // A gap in which the thread did not run though it could have, and whether that alone says that
        // the process was stopped; otherwise SIGCONT must say so, before the gap is seen or after.
        private func gap(
            _ now: Sample, continued: MonotonicTime?
        ) -> (pause: Pause, isCertain: Bool)? {
            let slept = Self.difference(now.sinceBoot, last.sinceBoot)
            let gap = now.time.since(last.time)
            let sleep = Duration.nanoseconds(Int64(clamping: slept)) - gap
            let machineSlept = sleep > .milliseconds(100)
            let delayed = Duration.nanoseconds(
                Int64(clamping: Self.difference(now.runDelay, last.runDelay)))
            let used = Duration.nanoseconds(
                Int64(clamping: Self.difference(now.processorTime, last.processorTime)))
            // Time in which this thread waited for a core is no stop, nor is a gap in which the
            // process computed: in all measured stops it used 0.2 ms at most.
            let isCertain = machineSlept || (gap - delayed > tick * 3 && used < gap / 4)
            guard isCertain || gap - delayed > tick + tick / 2 else { return nil }
            let end = continued.map { min($0, now.time) } ?? now.time
            let atMost = max(end.since(last.time), .zero) + (machineSlept ? sleep : .zero)
            // Waiting for a core, before the stop or after it, is none of it.
            let pause = Pause(
                atLeast: max(atMost - tick - delayed - Self.slack, .zero), atMost: atMost,
                wasContinued: continued != nil, machineSlept: machineSlept)
            return (pause, isCertain)
        }

        private static func difference(_ later: UInt64, _ earlier: UInt64) -> UInt64 {
            later > earlier ? later - earlier : 0
        }
    }
#endif
