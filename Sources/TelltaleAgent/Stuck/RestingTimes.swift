#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import CTelltaleSystem

    /// How often threads have run, and for how long they haven't, as the kernel's scheduler has it: what
    /// tells a wait of an hour from one of a moment at the first look.
    struct RestingTimes {
        /// A core's clock, where it was asked for.
        private var clocks: [Int32: UInt64] = [:]
        /// More cores than this are not asked: each costs the caller a journey.
        private static let mostCores = 64

        /// How often a thread was given a core or lost it; nil where the kernel doesn't say.
        static func switches(of thread: Int32) -> UInt64? {
            var rest = CTelltaleRest()
            return ctelltale_rest(thread, &rest) ? rest.switches : nil
        }

        /// For how many seconds a thread hasn't run at least; nil where that can't be told. To be asked
        /// of threads that wait.
        mutating func resting(_ thread: Int32) -> Double? {
            var rest = CTelltaleRest()
            guard ctelltale_rest(thread, &rest), rest.last_ran > 0 else { return nil }
            let core = ctelltale_last_core(thread)
            guard core >= 0, let clock = clock(ofCore: core), clock > rest.last_ran else {
                return nil
            }
            var again = CTelltaleRest()
            // It ran meanwhile, maybe on another core.
            guard ctelltale_rest(thread, &again), again.switches == rest.switches else {
                return nil
            }
            return Double(clock - rest.last_ran) / 1e6
        }

        private mutating func clock(ofCore core: Int32) -> UInt64? {
            if let known = clocks[core] { return known == 0 ? nil : known }
            guard clocks.count < Self.mostCores else { return nil }
            let clock = ctelltale_scheduler_clock(core)
            clocks[core] = clock
            return clock == 0 ? nil : clock
        }
    }
#endif
