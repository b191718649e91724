#if TELLTALE_AGENT
import TelltaleSystem

/// Does what signals ask for, one after another, on a thread of the agent's that it has only while there is
/// something to do.
final class ReportThread: Sendable {
    private struct State {
        var schedule: DumpSchedule
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
        var makeDump: (@Sendable (SignalTrap.Delivery, Int) -> Void)?
    }

    /// What waits at most; more of it than this is a flood, of which the last parts are dropped.
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

    /// Has a dump made for a signal, when its time has come.
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
            // No further thread can be had: the agent's own does it, and clients wait meanwhile.
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
                // Only a job is worth waking for: signals are merged until the moment comes.
                _ = state.wait(until: moment) { $0.jobs.isEmpty ? nil : true }
            case .end: return
            }
        }
    }

    private func next() -> Step {
        state.update { state in
            // A dump that is due goes first: status lines that nobody reads take seconds each, and
            // a flood of them would keep it for good. Its interval leaves them their turn.
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
    /// Fires the sources that the host has for a signal.
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
                print([MemoryRoom.hasData() ? statusLine() : MemoryRoom.dataReason()])
            }
        }
    }
}

/// Decides when a dump that signals ask for is made: one at a time, with a least interval, and what
/// comes in between merged into the next. Pure; its user does what it says.
struct DumpSchedule: Sendable {
    enum Action: Sendable, Equatable {
        case nothing
        /// Make one dump for `merged` further signals besides the one that `by` sent.
        case make(by: SignalTrap.Delivery, merged: Int)
        /// Look again at this moment.
        case wait(until: MonotonicTime)
    }

    private let interval: Duration
    private var waiting: (by: SignalTrap.Delivery, merged: Int)?
    private var lastEnd: MonotonicTime?
    private var isMaking = false

    init(interval: Duration) { self.interval = interval }

    mutating func add(_ delivery: SignalTrap.Delivery) {
        // The last sender is the one who waits for an answer; one who is not known hides none.
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

    /// Ends what ``next(now:)`` began.
    mutating func made(now: MonotonicTime) {
        isMaking = false
        lastEnd = now
    }
}
#endif
