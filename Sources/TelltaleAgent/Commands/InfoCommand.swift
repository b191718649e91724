#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension InfoCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let agent = context.agent
        let facts = ProcessFacts()
        let own = ProcessFiles.own
        var process = [
            InfoAnswer.Row("name", agent.name),
            InfoAnswer.Row("pid", own.status("NSpid") ?? "\(facts.pid)"),
            InfoAnswer.Row("executable", own.executable ?? "not available"),
            InfoAnswer.Row("arguments", InfoFacts.arguments),
            InfoAnswer.Row("folder", InfoFacts.directory),
            InfoAnswer.Row("build id", agent.buildID.isEmpty ? "none" : agent.buildID),
            InfoAnswer.Row("user", "\(ProcessIdentity.uid)"),
            InfoAnswer.Row("up", Quantity.uptime(facts.uptimeSeconds)),
            InfoAnswer.Row(
                "memory",
                facts.residentBytes > 0
                    ? Quantity.bytes(facts.residentBytes, .field) : "not available"),
            InfoAnswer.Row("processor time", Quantity.time(.seconds(facts.cpuSeconds))),
            InfoAnswer.Row("threads", facts.threads > 0 ? "\(facts.threads)" : "not available"),
        ]
        let descriptors = facts.descriptors.map { "\($0)" } ?? "not available"
        let open = InfoFacts.descriptors
        let limit =
            facts.descriptorLimit.map { text in Int(text).map { Quantity.count($0) } ?? text }
            ?? "unknown"
        process.append(
            InfoAnswer.Row(
                "descriptors",
                "\(descriptors) of \(limit): "
                    + InfoFacts.kinds(of: open)))
        process.append(InfoAnswer.Row("environment", InfoFacts.environment))
        process.append(InfoAnswer.Row("debugger", ProcessFacts.rendered(ProcessFacts.tracer)))
        process.append(InfoAnswer.Row("stopped", Quantity.time(agent.stoppedTime)))
        if parameters.files == true {
            let socket = agent.listener.withLock { $0?.path }
            return InfoAnswer(sections: [InfoFacts.section(of: open, socket: socket)])
        }
        let limits = try LimitsCommand.run(NoParameters(), in: context)
        return InfoAnswer(sections: [
            InfoAnswer.Section(name: "process", rows: process), InfoFacts.section(of: limits),
            InfoAnswer.Section(name: "agent", rows: rows(of: agent)),
            InfoAnswer.Section(
                name: "private layouts",
                rows: RuntimeCaches.current.layouts.all.map {
                    InfoAnswer.Row($0.subject, $0.state)
                }),
        ])
    }

    private static func rows(of agent: Agent) -> [InfoAnswer.Row] {
        let workers = agent.workers.counts
        let connections = agent.connections.counts
        let socket = agent.listener.withLock { $0?.path } ?? "none"
        let signals = agent.takenSignals.withLock { $0 }.map(SignalNumber.name)
        let sources = agent.signalSources.withLock { $0 }.map {
            SignalNumber.name($0.signal) + " (dispatch source)"
        }
        var rows = [
            InfoAnswer.Row("version", ProductVersion.current),
            InfoAnswer.Row("protocol", "\(ProtocolVersion.current)"),
            InfoAnswer.Row("socket", socket),
            InfoAnswer.Row("mode", agent.mode.rawValue),
            InfoAnswer.Row("signals", (signals + sources).joined(separator: " ")),
            InfoAnswer.Row("heartbeat", agent.heartbeat.map { Quantity.time($0) } ?? "off"),
            InfoAnswer.Row(
                "connections",
                "\(connections.open) of \(agent.configuration.maximumConnections), "
                    + "\(connections.turnedAway) turned away"),
            InfoAnswer.Row(
                "workers",
                "\(workers.threads) of \(agent.configuration.maximumWorkers), "
                    + "\(workers.threads - workers.idle) busy"),
        ]
        rows.append(InfoAnswer.Row("kept", agent.memory.text))
        rows.append(
            InfoAnswer.Row(
                "history",
                agent.configuration.historyInterval == nil ? "off" : agent.shared.history.text))
        rows.append(InfoAnswer.Row("references", references(agent.shared.releases)))
        if let late = lateness(agent) { rows.append(InfoAnswer.Row("woken late", late)) }
        let copies = FrozenCopy.left
        if copies > 0 {
            rows.append(
                InfoAnswer.Row(
                    "frozen copies", "\(copies) that were told to end and have not yet"))
        }
        if ProcessIdentity.isPrivileged {
            rows.append(
                InfoAnswer.Row(
                    "environment",
                    "not heeded: the program has rights that who started it has not (AT_SECURE)"
                ))
        }
        let counts = agent.shared.captures.now
        rows.append(
            InfoAnswer.Row(
                "captures",
                "\(counts.captures), with "
                    + Quantity.count(counts.scans, "scan", "scans") + " of the memory"))
        if let interrupted = agent.shared.threads.interruptSummary {
            rows.append(InfoAnswer.Row("threads interrupted", interrupted))
        }
        let problems = agent.problems
        if problems.isEmpty { rows.append(InfoAnswer.Row("problems", "none")) }
        for problem in problems { rows.append(InfoAnswer.Row("problem", problem)) }
        return rows
    }
}

extension InfoCommand {
    private static func references(_ releases: ReleaseQueue) -> String {
        releases.ask()
        let (count, owners) = releases.waiting
        guard count > 0 else { return "none kept for an owner" }
        let names = owners.prefix(8).map { $0.escaped(limit: 100) }
        return "\(count) kept, until "
            + (owners.count == 1 ? "its owner answers: " : "their owners answer: ")
            + names.joined(separator: ", ") + (owners.count > 8 ? ", …" : "")
    }

    private static func lateness(_ agent: Agent) -> String? {
        let late = agent.late
        guard late.count > 0 else { return nil }
        return "\(Quantity.count(late.count, "time", "times")), the longest by "
            + "\(Quantity.time(late.longest)): nobody is known to have stopped the process for a second"
    }
}
#endif
