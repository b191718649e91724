package import TelltaleProtocol
import TelltaleSystem

/// Finds the one agent that is meant, or says why there is none.
package struct TargetResolver {
    var discovery: Discovery
    private let interrupt: Int32?
    let early: EarlyRequest?

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
        case .name(let name): try connect(toService: name, of: ProcessIdentity.uid)
        case .named(let user, let name): try connect(toService: name, ofUser: user)
        case nil: try connectToOnly()
        }
    }

    /// The user's own agents that match `isMeant`, with the other results so far.
    ///
    /// Any user can give a process any name: so a name means a service of one user. Agents of other
    /// users are only asked for their identity, and only if there is none of this user's.
    private struct Search {
        let user: UInt32
        var results: [DiscoveryResult] = []
        /// Agents of other users, by the owners of their directories.
        var others: [AgentCandidate] = []

        mutating func extend(
            within reach: Discovery.Reach, _ discovery: inout Discovery, _ early: EarlyRequest?
        ) {
            let found = discovery.candidates(within: reach)
            results += discovery.contact(
                found.filter { $0.location.owner == user }, early: early?.meant(forUser: user))
            others += found.filter { $0.location.owner != user }
        }

        var agents: [AgentConnection] {
            results.compactMap(\.agent).filter { $0.peer.uid == user }
        }
    }

    private mutating func connectToOnly() throws(CommandFailure) -> AgentConnection {
        var search = Search(user: ProcessIdentity.uid)
        for reach in [Discovery.Reach.machine, .namespaces] {
            search.extend(within: reach, &discovery, early)
            let agents = search.agents
            if let only = agents.first, agents.count == 1 { return only }
            if agents.count > 1 {
                throw CommandFailure(
                    .usage, "\(agents.count) agents can be reached: \(Self.list(agents))",
                    hint: "say which one: `telltale \(agents[0].pid) status`")
            }
        }
        if search.results.count == 1, let failure = search.results.first?.failure {
            throw failure
        }
        throw refusal(of: search, name: nil)
    }

    private mutating func connect(
        toService name: String, ofUser user: String
    ) throws(CommandFailure) -> AgentConnection {
        guard let uid = UInt32(user) ?? UserNames.uid(of: user) else {
            if FileFacts.exists("\(user)/\(name)") {
                return try connect(toSocket: "./\(user)/\(name)")
            }
            throw CommandFailure(
                .usage, "there is no user '\(user)', and no socket \(user)/\(name)",
                hint:
                    "USER in USER/NAME is a name in /etc/passwd, or a number")
        }
        guard uid == ProcessIdentity.uid || ProcessIdentity.uid == 0 else {
            throw CommandFailure(
                .denied,
                "\(user)/\(name) is \(UserLabel.text(uid))'s, and you are "
                    + UserLabel.text(ProcessIdentity.uid),
                hint: "run telltale as that user or as root")
        }
        return try connect(toService: name, of: uid)
    }

    private mutating func connect(
        toService name: String, of user: UInt32
    ) throws(CommandFailure) -> AgentConnection {
        var search = Search(user: user)
        for reach in [Discovery.Reach.directories, .machine, .namespaces] {
            search.extend(within: reach, &discovery, early)
            let agents = search.agents.filter { $0.hello.name == name }
            if let only = agents.first, agents.count == 1 { return only }
            if agents.count > 1 {
                throw CommandFailure(
                    .usage, "\(agents.count) agents are named '\(name)': \(Self.list(agents))",
                    hint: "say which one by its pid: `telltale \(agents[0].pid) status`")
            }
        }
        // An agent that can't tell its name may still be the one, judged by its program.
        if let failure = search.results.first(where: { $0.programName == name })?.failure {
            throw failure
        }
        throw refusal(of: search, name: name)
    }

    /// Returns the reason that none of the user's own agents is meant, with the users of the
    /// others.
    private mutating func refusal(of search: Search, name: String?) -> CommandFailure {
        let what = name.map { "is named '\($0)'" } ?? "can be reached"
        let strangers = discovery.contact(search.others)
        let agents = strangers.compactMap(\.agent).filter { name == nil || $0.hello.name == name }
        guard let stranger = agents.first else {
            return nobody("no agent \(what)", others: search.results + strangers, name: name)
        }
        return CommandFailure(
            .unreachable,
            "no agent of \(UserLabel.text(search.user)) \(what); available: \(Self.list(agents))",
            hint: Self.naming(stranger))
    }

    private static func naming(_ agent: AgentConnection) -> String {
        let user = UserNames.name(of: agent.peer.uid) ?? "\(agent.peer.uid)"
        return "if that one is meant, name its user: `telltale \(user)/\(agent.hello.name) …`"
    }

    private mutating func connect(toProcess pid: Int32) throws(CommandFailure) -> AgentConnection {
        var others: [DiscoveryResult] = []
        for reach in [Discovery.Reach.directories, .machine, .namespaces] {
            let candidates = discovery.candidates(within: reach)
            let named = candidates.filter { $0.name.pid == pid }
            // Seen from here, a process in an inner pid namespace has another number.
            let rest = candidates.filter { $0.name.pid != pid && $0.process == nil }
            let found =
                discovery.contact(named, early: early?.meant(forProcess: pid))
                + discovery.contact(rest)
            if let agent = found.compactMap(\.agent).first(where: { $0.pid == pid }) {
                return agent
            }
            // A process leaves its socket without a listener when it changes its user; there may be
            // a later one.
            if let failure = found.first(where: { $0.pid == pid })?.failure,
                failure.code != .unreachable
            {
                throw failure
            }
            others += found
        }
        let inner = others.compactMap(\.agent).filter { Self.isInnerPid(pid, of: $0) }
        if let only = inner.first, inner.count == 1 { return only }
        if inner.count > 1 {
            throw CommandFailure(
                .usage,
                "\(inner.count) agents have the pid \(pid) in their own namespaces: "
                    + Self.list(inner),
                hint: "use the pid that is not in brackets: `telltale \(inner[0].pid) status`")
        }
        let silent = others.first { $0.pid == pid } ?? others.first { $0.namedPid == pid }
        if let failure = silent?.failure { throw failure }
        throw withoutAgent(pid)
    }

    /// Returns whether a process has the number in a pid namespace of its own, as the kernel
    /// reports it; the process's own word is believed only of the user's own.
    private static func isInnerPid(_ pid: Int32, of agent: AgentConnection) -> Bool {
        guard agent.hello.pid == pid else { return false }
        guard agent.peer.pid > 0, let text = ProcessFiles(pid: agent.peer.pid).status("NSpid")
        else {
            return agent.peer.uid == ProcessIdentity.uid
        }
        return ProcessList.namespacePids(text).contains(pid)
    }

    private func withoutAgent(_ pid: Int32) -> CommandFailure {
        let files = ProcessFiles(pid: pid)
        guard let stat = files.stat else {
            return CommandFailure(
                .unreachable, "there is no process \(pid)",
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
        if ProcessHalt(stat) == .ended { return ProcessHalt.ended.failure(of: pid) }
        // The kernel grants both, or neither.
        if ProcessFiles.link("/proc/\(pid)/ns/mnt") == nil {
            return CommandFailure(
                .denied,
                "no agent of process \(pid) (\(name)) was found; the kernel does not let telltale look "
                    + "into its mount namespace (that needs CAP_SYS_PTRACE)",
                hint: "run telltale in the process's container, or with that capability")
        }
        if !ElfFile.hasSwiftMetadata("/proc/\(pid)/exe") {
            return CommandFailure(
                .unreachable, "process \(pid) (\(name)) is not a Swift program" + problemText,
                hint:
                    "`telltale` lists the agents that can be reached; `telltale --all` also Swift "
                    + "programs without an agent")
        }
        return CommandFailure(
            .unreachable, "process \(pid) (\(name)) has no agent" + problemText,
            hint: "it is a release build, does not call Telltale.start(), or has TELLTALE=0; "
                + "SIGUSR1 may end it")
    }

    /// The number of agents that can't answer, up to which each has its reason in a failure.
    private static let mostSilent = 2

    private func nobody(
        _ sentence: String, others: [DiscoveryResult], name: String? = nil
    ) -> CommandFailure {
        let agents = others.compactMap(\.agent)
        let silent = others.compactMap(\.failure?.message)
        var hint = "looked in " + discovery.searchedText
        if !agents.isEmpty { hint = "available: \(Self.list(agents))" }
        // A mistyped command is taken for a name, where the name was left out.
        let meant = name.map { name in
            NearestNames.of(name, among: agents.map(\.hello.name))
                + NearestNames.of(name, among: CommandTable.names).map {
                    "the command \($0)"
                }
        }
        if let meant, !meant.isEmpty {
            hint = "did you mean \(meant.prefix(3).joined(separator: " or "))? " + hint
        }
        if silent.count <= Self.mostSilent {
            hint += silent.map { "; " + $0 }.joined()
        } else {
            hint += "; \(Quantity.count(silent.count)) others can't answer (`telltale` lists them)"
        }
        return CommandFailure(.unreachable, sentence + problemText, hint: hint)
    }

    private var problemText: String {
        discovery.problems.isEmpty
            ? ""
            : "; not looked into: " + discovery.problems.map(\.description).joined(separator: ", ")
    }

    private static func list(_ agents: [AgentConnection]) -> String {
        agents.map(\.listedTitle).listed(8)
    }
}
