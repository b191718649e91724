package import TelltaleProtocol
import TelltaleSystem

/// Finds the one agent that is meant, or says why there is none.
package struct TargetResolver {
    var discovery: Discovery
    private let interrupt: Int32?
    let early: EarlyRequest?

    /// - Parameters:
    ///   - discovery: Where agents are looked for.
    ///   - interrupt: A descriptor that ends a wait as soon as it can be read.
    ///   - early: The request that the connection is wanted for.
    package init(
        discovery: Discovery = Discovery(), interrupt: Int32? = nil, early: EarlyRequest? = nil
    ) {
        self.early = early
        self.discovery = discovery
        self.interrupt = interrupt
    }

    /// Connects to the agent that `target` names; without one, to the only agent there is.
    package mutating func connect(to target: Target?) throws(CommandFailure) -> AgentConnection {
        switch target {
        case .socket(let path): try connect(toSocket: path)
        case .pid(let pid): try connect(toProcess: pid)
        case .name(let name): try connect(toService: name)
        case nil: try connectToOnly()
        }
    }

    private mutating func connectToOnly() throws(CommandFailure) -> AgentConnection {
        var sightings: [Sighting] = []
        for reach in [Discovery.Reach.machine, .namespaces] {
            sightings += discovery.ask(discovery.candidates(within: reach), early: early)
            let agents = sightings.compactMap(\.agent)
            if let only = agents.first, agents.count == 1 { return only }
            if agents.count > 1 {
                throw CommandFailure(
                    .usage, "\(agents.count) agents can be reached: \(Self.list(agents))",
                    hint: "say which one: `telltale \(agents[0].pid) status`")
            }
        }
        if sightings.count == 1, let failure = sightings.first?.failure { throw failure }
        throw nobody("no agent can be reached", others: sightings)
    }

    private mutating func connect(toService name: String) throws(CommandFailure) -> AgentConnection
    {
        var sightings: [Sighting] = []
        for reach in [Discovery.Reach.directories, .machine, .namespaces] {
            sightings += discovery.ask(discovery.candidates(within: reach), early: early)
            let agents = sightings.compactMap(\.agent).filter { $0.hello.name == name }
            if let only = agents.first, agents.count == 1 { return only }
            if agents.count > 1 {
                throw CommandFailure(
                    .usage, "\(agents.count) agents are named '\(name)': \(Self.list(agents))",
                    hint: "say which one by its pid: `telltale \(agents[0].pid) status`")
            }
        }
        // One that can't say its name may still be the one, going by its program.
        if let failure = sightings.first(where: { $0.programName == name })?.failure {
            throw failure
        }
        throw nobody("no agent is named '\(name)'", others: sightings, name: name)
    }

    private mutating func connect(toProcess pid: Int32) throws(CommandFailure) -> AgentConnection {
        var others: [Sighting] = []
        for reach in [Discovery.Reach.directories, .machine, .namespaces] {
            let candidates = discovery.candidates(within: reach)
            let named = candidates.filter { $0.name.pid == pid }
            for sighting in discovery.ask(named, early: early) {
                if sighting.pid == pid { return try sighting.connection() }
                others.append(sighting)
            }
            // Seen from here, a process in an inner pid namespace has another number.
            let rest = candidates.filter { $0.name.pid != pid && $0.process == nil }
            for sighting in discovery.ask(rest) {
                if sighting.pid == pid { return try sighting.connection() }
                others.append(sighting)
            }
        }
        let inner = others.compactMap(\.agent).filter { $0.hello.pid == pid }
        if let only = inner.first, inner.count == 1 { return only }
        if inner.count > 1 {
            throw CommandFailure(
                .usage,
                "\(inner.count) agents have the pid \(pid) in their own namespaces: "
                    + Self.list(inner),
                hint: "use the pid that is not in brackets: `telltale \(inner[0].pid) status`")
        }
        if let failure = others.first(where: { $0.namedPid == pid })?.failure { throw failure }
        throw withoutAgent(pid)
    }

    private func withoutAgent(_ pid: Int32) -> CommandFailure {
        let files = ProcessFiles(pid: pid)
        guard let stat = files.stat else {
            return CommandFailure(
                .unreachable, "there is no process \(pid): it has ended",
                hint: "`telltale` lists the agents that can be reached")
        }
        let name = files.programName ?? "?"
        if let uid = files.user, uid != ProcessIdentity.uid, ProcessIdentity.uid != 0 {
            return CommandFailure(
                .denied,
                "process \(pid) (\(name)) belongs to \(UserLabel.text(uid)), and you are "
                    + UserLabel.text(ProcessIdentity.uid),
                hint: "run telltale as that user or as root")
        }
        let state = stat.state == "Z" ? "has ended and waits for its parent" : "has no agent"
        return CommandFailure(
            .unreachable, "process \(pid) (\(name)) \(state)" + problemText,
            hint: "it is a release build, does not call Telltale.start(), or has TELLTALE=0; "
                + "SIGUSR1 may end it")
    }

    private func nobody(
        _ sentence: String, others: [Sighting], name: String? = nil
    ) -> CommandFailure {
        let agents = others.compactMap(\.agent)
        let silent = others.compactMap(\.failure?.message)
        var hint = "looked in " + discovery.searchedText
        if !agents.isEmpty { hint = "there is \(Self.list(agents))" }
        // A mistyped command is taken for a name, where the name was left out.
        let meant = name.map { name in
            NearestNames.of(name, among: agents.map(\.hello.name))
                + NearestNames.of(name, among: CommandTable.all.map(\.name)).map {
                    "the command \($0)"
                }
        }
        if let meant, !meant.isEmpty {
            hint = "did you mean \(meant.prefix(3).joined(separator: " or "))? " + hint
        }
        if !silent.isEmpty { hint += "; " + silent.joined(separator: "; ") }
        return CommandFailure(.unreachable, sentence + problemText, hint: hint)
    }

    private var problemText: String {
        discovery.problems.isEmpty
            ? ""
            : "; not looked into: " + discovery.problems.map(\.description).joined(separator: ", ")
    }

    private static func list(_ agents: [AgentConnection]) -> String {
        let shown = agents.prefix(8).map(\.title).joined(separator: ", ")
        return agents.count > 8 ? "\(shown) and \(agents.count - 8) more" : shown
    }
}
