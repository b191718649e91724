#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Sorts the handler's records, and detects pauses from the thread's sleeps and SIGCONT together.
struct PauseWatch {
    private let agent: Agent
    private let heartbeat: Duration?
    private var detector: PauseDetector
    private let clock: RunDelayClock?
    private var tracer: SignalReport.Tracer?
    private var tracerRead = MonotonicTime.now
    /// A SIGCONT whose gap may become visible at the next tick.
    private var continued: SignalTrap.Delivery?
    private var budget = ReportBudget(now: .now)
    /// The cgroup's frozen time at the last report, in microseconds.
    private var frozen = FrozenTime.microseconds

    init(agent: Agent, heartbeat: Duration?, began: PauseDetector.Sample) {
        self.agent = agent
        self.heartbeat = heartbeat
        // Only a heartbeat reads it; it belongs to the thread that creates it.
        clock = heartbeat == nil ? nil : RunDelayClock()
        detector = PauseDetector(tick: heartbeat ?? .seconds(3600), now: began)
        tracer = ProcessFacts.tracer
    }

    /// True while a stop or a SIGCONT waits for the next sample.
    var isWaiting: Bool { detector.isUndecided || continued != nil }

    /// Sorts the handler's records, and evaluates the clocks and the thread's sleeps since the last call.
    mutating func handle(_ deliveries: [SignalTrap.Delivery], sleep: PauseDetector.Sleep) {
        var latest: SignalTrap.Delivery?
        for delivery in deliveries {
            if delivery.signal == SignalName.continue.rawValue {
                latest = delivery
            } else {
                agent.handle(delivery)
            }
        }
        guard heartbeat != nil else {
            if let latest { report(nil, latest) }
            return
        }
        let finding = detector.observe(
            .now(clock), sleep: sleep, continued: latest?.time)
        if let late = finding.late { agent.count(late: late) }
        if let pause = finding.pause {
            report(pause, latest ?? continued)
            continued = nil
        } else if let waiting = continued, !detector.isUndecided {
            // SIGCONT arrived although the process had not been stopped: the host's handlers still receive
            // it.
            agent.tellHost(
                SignalReport(
                    signal: .continue, count: 1, senderPID: waiting.senderPID,
                    senderUID: waiting.senderUID, tracer: tracer))
            continued = latest
        } else if let latest {
            continued = latest
        }
        readTracer()
        reportMerged()
    }

    // An attachment shorter than a second is visible as a gap only.
    private mutating func readTracer() {
        guard tracerRead.advanced(by: .seconds(1)) < .now else { return }
        tracerRead = .now
        let now = ProcessFacts.tracer
        if let now, tracer == nil {
            agent.reports.submit {
                [agent] in agent.print(["debugger \(ProcessFacts.rendered(now)) has attached"])
            }
        }
        tracer = now
    }

    private mutating func report(_ pause: PauseDetector.Pause?, _ cont: SignalTrap.Delivery?) {
        let frozenBefore = frozen
        frozen = FrozenTime.microseconds
        let frozenFor = frozen.flatMap { now in frozenBefore.map { now > $0 ? now - $0 : 0 } }
        // If the kernel reports the length, it takes precedence over the clock.
        if let pause, cont == nil, let frozenFor, (1..<1_000_000).contains(frozenFor) {
            return agent.count(late: pause.atMost)
        }
        let before = tracer
        tracer = ProcessFacts.tracer
        tracerRead = .now
        var resumed = Resumed(pause: pause, by: cont, tracer: tracer, tracerBefore: before)
        resumed.wasFrozen = frozenFor.map { $0 > 0 } ?? false
        if let pause { agent.count(pause) }
        for signal in [SignalName.stop, .continue] {
            var report = SignalReport(
                signal: signal, count: 1, senderPID: cont?.senderPID ?? 0,
                senderUID: cont?.senderUID ?? 0, tracer: tracer)
            report.pause = pause.map {
                SignalReport.Pause(atLeast: $0.atLeast, atMost: $0.atMost, cause: resumed.cause)
            }
            agent.tellHost(report)
        }
        guard agent.configuration.reportsPauses, budget.takes(pause, now: .now) else { return }
        agent.reports.submit { [agent, resumed] in agent.print(resumed.lines(agent)) }
    }

    private mutating func reportMerged() {
        guard let merged = budget.takesMerged(now: .now) else { return }
        let line =
            "RESUMED \(Quantity.count(merged.count, "time", "times")) more, after "
            + "\(Quantity.times(merged.atLeast, merged.atMost)) altogether; one report in "
            + "\(Quantity.time(ReportBudget.interval)) is written where there are many"
        agent.reports.submit { [agent] in agent.print([line]) }
    }
}

/// The "resumed" report.
struct Resumed: Sendable {
    let pause: PauseDetector.Pause?
    let by: SignalTrap.Delivery?
    let tracer: SignalReport.Tracer?
    let tracerBefore: SignalReport.Tracer?
    /// True if the kernel reports that the cgroup was frozen in the meantime.
    var wasFrozen = false

    /// The cause of the stop, as far as it can be known.
    var cause: String {
        if pause?.machineSlept == true { return "the machine slept" }
        if by != nil { return "stopped by SIGSTOP or SIGTSTP" }
        if let tracer = tracer ?? tracerBefore {
            return "stopped by debugger \(ProcessFacts.rendered(tracer))"
        }
        if wasFrozen { return "its cgroup was frozen" }
        return "no SIGCONT came: a debugger's stop or a frozen cgroup"
    }

    func lines(_ agent: Agent) -> [String] {
        var head = "RESUMED "
        if let pause {
            head += "after \(Quantity.times(pause.atLeast, pause.atMost))"
        } else {
            head += "after a time that is not known, since the heartbeat is off"
        }
        head += "; \(cause)"
        if let by {
            head +=
                ", continued by "
                + ProcessFacts.rendered(pid: by.senderPID, uid: by.senderUID)
        }
        head += "; debugger=\(ProcessFacts.rendered(tracer))"
        return [head] + agent.greetings()
    }
}

extension Agent {
    /// An LLDB expression for every registered object that is alive.
    func greetings() -> [String] {
        shared.objects.all.compactMap { entry in
            guard let reference = entry.reference else { return nil }
            guard let place = reference.address else {
                return " lldb: \(entry.name.escaped) is gone"
            }
            let address = Quantity.address(place)
            return
                " lldb: \(entry.name.escaped) = "
                + "unsafeBitCast(\(address), to: \(entry.qualifiedTypeName).self)"
        }
    }

    /// Prints lines with the process in front, like the lines of a dump.
    func print(_ lines: [String]) {
        let prefix = "telltale[\(ProcessIdentity.pid)] "
        let deadline = MonotonicTime.now.advanced(by: .seconds(1))
        _ = StandardError.write(lines: lines.map { prefix + $0.escaped }, until: deadline)
    }
}
#endif
