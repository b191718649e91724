package import TelltaleProtocol
import TelltaleSystem

extension DiscoveryResult {
    /// The connection, where there is one.
    package var agent: AgentConnection? {
        if case .agent(let connection) = self { connection } else { nil }
    }

    /// Why there is no connection; nil where there is one.
    package var failure: CommandFailure? {
        switch self {
        case .agent: nil
        case .silent(_, _, let failure): failure
        case .stopped(_, let stat, let pid):
            CommandFailure(
                .timeout,
                "process \(pid)\(programName.map { " (\($0))" } ?? "") is stopped "
                    + (stat.state == "t" ? "by a debugger" : "by a signal") + " and can't answer",
                hint: stat.state == "t"
                    ? "let it go on in the debugger" : "`kill -CONT \(pid)` lets it go on")
        }
    }

    /// The process id as it is seen from here.
    package var pid: Int32? {
        switch self {
        case .agent(let connection): connection.pid
        case .stopped(_, _, let pid): pid
        case .silent(_, let pid, _): pid
        }
    }

    /// The process id in the socket's name.
    var namedPid: Int32? {
        switch self {
        case .agent: nil
        case .stopped(let candidate, _, _), .silent(let candidate, _, _): candidate.name.pid
        }
    }

    /// The file name of the process's executable, where it can't say its own name.
    package var programName: String? {
        switch self {
        case .agent: nil
        case .stopped, .silent: pid.flatMap { ProcessFiles(pid: $0).programName }
        }
    }

    /// The connection, or why there is none.
    func connection() throws(CommandFailure) -> AgentConnection {
        if let agent { return agent }
        throw failure ?? CommandFailure(.unreachable, "the agent can't be reached")
    }
}
