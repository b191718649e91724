package import TelltaleProtocol
import TelltaleSystem

/// Every agent that can be seen, and on request the Swift programs that have none.
package struct Listing: Codable, Sendable, Equatable {
    /// The processes, by pid, agents first.
    package var processes: [ListedProcess]
    /// Directories that were not looked into, and why.
    package var problems: [String]
    package var searched: String
    /// The number of Swift programs without an agent; they are in `processes` only if asked for.
    package var withoutAgent: Int

    /// The time limit for the agents' answers.
    package static let timeout: Duration = .seconds(2)

    /// Searches everywhere and asks each agent for its status. All are asked at the same time.
    package static func make(
        discovery: Discovery = Discovery(), timeout: Duration = Listing.timeout,
        withAgentless: Bool = false
    ) -> Listing {
        var discovery = discovery
        let pids = ProcessList.pids()
        let results = discovery.contact(
            discovery.candidates(within: .namespaces, processes: pids))
        var agents: [ListedProcess] = []
        let connections = results.compactMap(\.agent)
        let request = try? Request(StatusCommand.self, NoParameters())
        let asked = connections.map { request.flatMap($0.begin) }
        let deadline = MonotonicTime.now.advanced(by: timeout)
        for (connection, identifier) in zip(connections, asked) {
            let result = identifier.flatMap { connection.finish($0, deadline: deadline) }
            let status = result.flatMap { try? StatusAnswer(result: $0) }
            agents.append(ListedProcess(agent: connection, status: status))
        }
        // A process that became another user's may have left a socket behind, and is one line all the same.
        var listed = Set(connections.map(\.pid))
        for result in results where result.agent == nil {
            if let pid = result.pid, !listed.insert(pid).inserted { continue }
            if let line = ListedProcess(result) { agents.append(line) }
        }
        agents.sort { $0.pid < $1.pid }
        let known = Set(agents.map(\.pid))
        let agentless = AgentlessProcess.find(among: pids, except: known).map(ListedProcess.init)
        return Listing(
            processes: withAgentless ? agents + agentless : agents,
            problems: discovery.problems.map(\.description), searched: discovery.searchedText,
            withoutAgent: agentless.count)
    }

    /// The remark on those that are not listed; `nil` if there are none.
    package var agentlessRemark: String? {
        let listed = processes.count { $0.state == "no agent" }
        guard withoutAgent > listed else { return nil }
        return withoutAgent == 1
            ? "1 Swift process has no agent (a release build?); `telltale --all` lists it"
            : "\(Quantity.count(withoutAgent)) Swift processes have no agent (release builds?); "
                + "`telltale --all` lists them"
    }
}

extension Listing {
    /// The processes as a table; columns that don't fit are left out, the least important first.
    package func text(_ style: TextStyle = TextStyle()) -> TerminalText {
        // A long name of one process must not hide all others.
        var table = TextTable([
            .init("pid"), .init("name", widest: 64), .init("user", isExtra: true, widest: 64),
            .init("up", isExtra: true), .init("state", widest: 64),
            .init("stuck", widest: 200, goesBelow: true), .init("oldest"),
            .init("rss", isExtra: true), .init("mode", isExtra: true),
        ])
        for process in processes {
            let row = Self.row(process)
            table.add(row.cells, tail: row.tail)
        }
        return TerminalText(table: table, style)
    }

    private static func row(_ process: ListedProcess) -> (cells: [String], tail: String?) {
        let pid = process.innerPid.map { "\(process.pid)(\($0))" } ?? "\(process.pid)"
        let start = [
            pid, process.name, process.user,
            process.uptimeSeconds.map(Quantity.uptime) ?? "",
        ]
        if process.state == "no agent" {
            return (start, "no agent \(process.note ?? "")")
        }
        return (
            start + [
                process.state, process.stuck ?? "",
                process.oldestSeconds.map { Quantity.time(seconds: $0, .field) } ?? "",
                process.residentBytes.map { Quantity.bytes($0, .field) } ?? "",
                process.mode ?? "",
            ], nil
        )
    }
}
