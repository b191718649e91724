#if TELLTALE_AGENT
import TelltaleSystem

/// Runs the jobs that signals request, one after another, on an agent thread that exists only while there
/// are jobs.
final class ReportThread: Sendable {
    private struct State {
        var schedule: DumpSchedule
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
        var makeDump: (@Sendable (SignalTrap.Delivery, Int) -> Void)?
    }

    /// The maximum number of waiting jobs; more is a flood, whose later jobs are dropped.
    private static let limit = 64
    private let state: TimedCondition<State>
    private let threads: AgentThreads

    init(interval: Duration, threads: AgentThreads) {
        self.threads = threads
        state = TimedCondition(State(schedule: DumpSchedule(interval: interval)))
    }

    func submit(_ job: @escaping @Sendable () -> Void) {
        begin { if $0.jobs.count < Self.limit { $0.jobs.append(job) } }
    }

    /// Makes a dump for a signal as soon as the schedule permits it.
    func dump(
        for delivery: SignalTrap.Delivery,
        make: @escaping @Sendable (SignalTrap.Delivery, Int) -> Void
    ) {
        begin {
            $0.schedule.add(delivery)
            $0.makeDump = make
        }
    }

    private func begin(_ add: (inout State) -> Void) {
        let needsThread = state.update { state in
            add(&state)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if needsThread { launch() }
    }

    private func launch() {
        do throws(SystemError) {
            try threads.run(.report) { [self] in run() }
        } catch {
            // No further thread can be created: the agent's own thread does the work, and clients wait in
            // the meantime.
            run()
        }
    }

    private enum Step {
        case job(@Sendable () -> Void)
        case dump(SignalTrap.Delivery, Int, @Sendable (SignalTrap.Delivery, Int) -> Void)
        case wait(MonotonicTime)
        case end
    }

    private func run() {
        while true {
            switch next() {
            case .job(let job): job()
            case .dump(let delivery, let merged, let make):
                make(delivery, merged)
                state.update { $0.schedule.made(now: .now) }
            case .wait(let moment):
                // Only a job wakes the thread early: signals are merged until that time.
                _ = state.wait(until: moment) { $0.jobs.isEmpty ? nil : true }
            case .end: return
            }
        }
    }

    private func next() -> Step {
        state.update { state in
            // A due dump goes first. Status lines that no process reads take seconds each, and a flood of
            // them would delay the dump forever. Its interval leaves time for them.
            switch state.schedule.next(now: .now) {
            case .make(let delivery, let merged):
                guard let make = state.makeDump else { return .end }
                return .dump(delivery, merged, make)
            case .wait(let moment):
                return state.jobs.isEmpty ? .wait(moment) : .job(state.jobs.removeFirst())
            case .nothing:
                guard state.jobs.isEmpty else { return .job(state.jobs.removeFirst()) }
                state.isRunning = false
                return .end
            }
        }
    }
}

extension Agent {
    /// Fires the host's sources for a signal.
    func tellHost(_ report: SignalReport) {
        guard !shared.signalSubscriptions.fire(report, through: workers.submitter) else { return }
        shared.note(
            "handlers of \(SignalNumber.name(report.signal.rawValue)) were not told: the process can "
                + "have no further thread")
    }

    func handle(_ delivery: SignalTrap.Delivery) {
        let signal = SignalName(rawValue: delivery.signal)
        tellHost(
            SignalReport(
                signal: signal, count: delivery.count, senderPID: delivery.senderPID,
                senderUID: delivery.senderUID, tracer: ProcessFacts.tracer))
        if signal == configuration.dumpSignal {
            reports.dump(for: delivery) { [self] in writeDump(for: $0, merged: $1) }
        } else if signal == configuration.statusSignal {
            reports.submit { [self] in
                print([MemoryRoom.shortage()?.reason ?? statusLine()])
            }
        }
    }
}

/// Decides when to make a dump that signals request: one at a time, with a minimum interval, and signals in
/// between merged into the next dump. Has no side effects; its user carries out the actions.
struct DumpSchedule: Sendable {
    enum Action: Sendable, Equatable {
        case nothing
        /// Make one dump, for the signal of `by` and `merged` further ones.
        case make(by: SignalTrap.Delivery, merged: Int)
        /// Ask again at this time.
        case wait(until: MonotonicTime)
    }

    private let interval: Duration
    private var waiting: (by: SignalTrap.Delivery, merged: Int)?
    private var lastEnd: MonotonicTime?
    private var isMaking = false

    init(interval: Duration) { self.interval = interval }

    mutating func add(_ delivery: SignalTrap.Delivery) {
        // The last sender waits for the dump; an unknown sender doesn't replace a known one.
        let isKnown = delivery.code != SignalTrap.unknownSender
        waiting = (
            isKnown ? delivery : waiting?.by ?? delivery,
            (waiting?.merged ?? -1) + delivery.count
        )
    }

    mutating func next(now: MonotonicTime) -> Action {
        guard !isMaking, let due = waiting else { return .nothing }
        if let lastEnd {
            let moment = lastEnd.advanced(by: interval)
            if now < moment { return .wait(until: moment) }
        }
        waiting = nil
        isMaking = true
        return .make(by: due.by, merged: due.merged)
    }

    /// Ends the dump that ``next(now:)`` began.
    mutating func made(now: MonotonicTime) {
        isMaking = false
        lastEnd = now
    }
}
#endif
