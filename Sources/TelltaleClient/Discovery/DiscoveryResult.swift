package import TelltaleProtocol
package import TelltaleSystem

/// The outcome of contacting one candidate.
package enum DiscoveryResult {
    /// It shook hands.
    case agent(AgentConnection)
    /// Its process is stopped, has ended or has crashed: it can't answer.
    case halted(AgentCandidate, ProcessHalt, pid: Int32)
    /// It exists and gave no handshake, for this reason.
    case silent(AgentCandidate, pid: Int32?, CommandFailure)

    /// Contacts all candidates at once, and returns one result for each that is alive, in their order.
    /// Sockets of processes that have certainly ended are removed. The early request is sent with the
    /// greeting if there is only one candidate.
    package static func contact(
        _ candidates: [AgentCandidate], deadline: MonotonicTime, early: EarlyRequest? = nil
    ) -> [DiscoveryResult] {
        // The greetings are sent to all before the first answer is waited for.
        let begun = candidates.map {
            Begun($0, deadline: deadline, early: candidates.count == 1 ? early : nil)
        }
        return begun.compactMap { $0.result(deadline: deadline) }
    }
}

private final class Begun {
    private let candidate: AgentCandidate
    private var pending: PendingHandshake?
    private var known: DiscoveryResult?

    init(_ candidate: AgentCandidate, deadline: MonotonicTime, early: EarlyRequest?) {
        self.candidate = candidate
        let process = candidate.process
        if let process, let halt = ProcessHalt(process) {
            known = .halted(candidate, halt, pid: candidate.name.pid)
            return
        }
        do throws(CommandFailure) {
            let pending = try PendingHandshake.begin(
                at: candidate.location, deadline: deadline, early: early)
            let listener = pending.peer.pid
            if listener > 0, listener != candidate.name.pid,
                let halt = ProcessFiles(pid: listener).stat.flatMap(ProcessHalt.init)
            {
                known = .halted(candidate, halt, pid: listener)
            } else {
                self.pending = consume pending
            }
        } catch {
            // A name that has gone since it was listed, or a socket without a process, is not an
            // agent.
            if error.code == .unreachable {
                if process == nil || !FileFacts.exists(candidate.location.path) {
                    _ = StaleSocket.remove(candidate)
                    return
                }
            }
            known = .silent(candidate, pid: process == nil ? nil : candidate.name.pid, error)
        }
    }

    func result(deadline: MonotonicTime) -> DiscoveryResult? {
        guard let pending = pending.take() else { return known }
        let pid = pending.peer.pid
        do throws(CommandFailure) {
            return .agent(try AgentConnection(finishing: pending, deadline: deadline))
        } catch {
            if !error.isInterruption, let halt = ProcessHalt(ofSilent: pid) {
                return .halted(candidate, halt, pid: pid)
            }
            return .silent(candidate, pid: pid > 0 ? pid : nil, error)
        }
    }
}

extension DiscoveryResult {
    package var agent: AgentConnection? {
        if case .agent(let connection) = self { connection } else { nil }
    }

    /// The reason that there is no connection; `nil` if there is one.
    package var failure: CommandFailure? {
        switch self {
        case .agent: nil
        case .silent(_, _, let failure): failure
        case .halted(_, let halt, let pid): halt.failure(of: pid)
        }
    }

    /// The process id as it is seen from here.
    package var pid: Int32? {
        switch self {
        case .agent(let connection): connection.pid
        case .halted(_, _, let pid): pid
        case .silent(_, let pid, _): pid
        }
    }

    /// The process id in the socket's name.
    var namedPid: Int32? {
        switch self {
        case .agent: nil
        case .halted(let candidate, _, _), .silent(let candidate, _, _): candidate.name.pid
        }
    }

    /// The file name of the process's executable, if the agent doesn't report its name.
    package var programName: String? {
        switch self {
        case .agent: nil
        case .halted, .silent: pid.flatMap { ProcessFiles(pid: $0).programName }
        }
    }

    /// The connection, or the reason why there is none.
    func connection() throws(CommandFailure) -> AgentConnection {
        if let agent { return agent }
        throw failure ?? CommandFailure(.unreachable, "the agent can't be reached")
    }
}
