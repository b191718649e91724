import TelltaleProtocol
import TelltaleSystem

package struct ListedProcess: Codable, Sendable, Equatable {
    /// The process id as seen from here, or the one inside its namespace if that is unknown.
    package var pid: Int32
    /// The process id inside its pid namespace, if that differs.
    package var innerPid: Int32?
    /// The service's name, or the program's if the service doesn't answer.
    package var name: String
    package var user: String
    package var uptimeSeconds: Double?
    /// `running`, `resumed`, `stopped`, `stopped by a debugger`, `ended, not collected`, `crashed, core being
    /// written`, `crashed, backtrace being written`, `not answering`, or `no agent`.
    package var state: String
    /// The stuck owner: `main`, `queue`, or `-` for none; `nil` if unknown.
    package var stuck: String?
    /// The waiting time of the oldest item, in seconds; `nil` if unknown.
    package var oldestSeconds: Double?
    package var residentBytes: UInt64?
    /// `read-write` or `read-only`; `nil` if unknown.
    package var mode: String?
    /// The socket's path; nil without an agent.
    package var socket: String?
    /// A remark about this entry.
    package var note: String?
}

extension ListedProcess {
    init(agent: AgentConnection, status: StatusAnswer?) {
        let hello = agent.hello
        self.init(
            pid: agent.pid, name: hello.name, user: UserLabel.text(agent.peer.uid),
            uptimeSeconds: status?.uptimeSeconds ?? hello.uptimeSeconds,
            state: status?.state ?? "not answering",
            residentBytes: status?.residentBytes ?? hello.residentBytes,
            socket: agent.location.path)
        mode = hello.mode
        if agent.peer.pid > 0, agent.peer.pid != hello.pid { innerPid = hello.pid }
        if let status {
            stuck = status.stuck ?? Self.stuck(status.unanswered)
            oldestSeconds = status.oldestSeconds
            note = status.problems.isEmpty ? nil : status.problems.joined(separator: "; ")
        } else {
            note = "it shook hands, and its status did not come"
        }
    }

    init?(_ result: DiscoveryResult) {
        guard let failure = result.failure else { return nil }
        let pid = result.pid ?? result.namedPid ?? 0
        let files = ProcessFiles(pid: pid)
        let stat = result.pid == nil ? nil : files.stat
        var state = "not answering"
        if case .halted(_, let halt, _) = result { state = halt.rawValue }
        self.init(
            pid: pid, name: result.programName ?? "?",
            user: (result.pid == nil ? nil : files.user).map(UserLabel.text) ?? "?",
            uptimeSeconds: stat?.uptimeSeconds, state: state, residentBytes: stat?.residentBytes,
            note: failure.description)
    }

    init(_ process: AgentlessProcess) {
        self.init(
            pid: process.pid, name: process.name, user: UserLabel.text(process.uid),
            uptimeSeconds: process.uptimeSeconds, state: "no agent",
            residentBytes: process.residentBytes,
            note: process.isEndedBySignal
                ? "(a release build?): SIGUSR1 may end it" : "(a release build?)")
    }

    private static func stuck(_ unanswered: [String]) -> String {
        if unanswered.contains("com.apple.main-thread") { return "main" }
        return unanswered.isEmpty ? "-" : "queue"
    }
}

/// A user as people know him.
enum UserLabel {
    /// `app`, or `uid 1000` where /etc/passwd has no name.
    static func text(_ uid: UInt32) -> String { UserNames.name(of: uid) ?? "uid \(uid)" }
}
