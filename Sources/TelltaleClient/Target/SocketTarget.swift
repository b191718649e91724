import TelltaleProtocol
import TelltaleSystem

extension TargetResolver {
    /// Connects to the socket at `path`, after checking the file.
    func connect(toSocket path: String) throws(CommandFailure) -> AgentConnection {
        let bytes = path.utf8.count
        guard bytes <= UnixSocket.longestPath else {
            throw CommandFailure(
                .unreachable,
                "\(path) has \(bytes) bytes, and a socket's path at most \(UnixSocket.longestPath)",
                hint: "change into its directory and name it as ./PID-START.sock")
        }
        let facts: FileFacts
        do throws(SystemError) {
            facts = try FileFacts.of(path)
        } catch {
            throw error.isDenied
                ? CommandFailure(
                    .denied, "\(path) may not be read by uid \(ProcessIdentity.uid)",
                    hint: "run telltale as the service's user, or as root")
                : CommandFailure(
                    .unreachable, "\(path): \(SystemError.text(error.code))",
                    hint: "`telltale` lists the agents; `telltale PID info` shows the socket's path"
                )
        }
        switch facts.kind {
        case .socket: break
        case .link:
            throw CommandFailure(
                .unreachable,
                "\(path) is a symbolic link to \(ProcessFiles.link(path) ?? "somewhere"), and links "
                    + "are not followed",
                hint: "name the socket itself")
        default:
            throw CommandFailure(
                .unreachable, "\(path) is \(facts.kind.description) and not a socket",
                hint: facts.kind == .directory
                    ? "`TELLTALE_DIRECTORY=\(path) telltale` lists the agents in it"
                    : "`telltale` lists the agents; `telltale PID info` shows the socket's path")
        }
        let candidate = Self.candidate(path, facts)
        if let candidate {
            if let result = discovery.contact([candidate], early: early).first {
                return try result.connection()
            }
            throw CommandFailure(
                .unreachable, "the agent at \(path) is gone: its process has ended",
                hint: FileFacts.exists(path)
                    ? "`telltale` lists the agents that can be reached"
                    : "the dead socket was removed; `telltale` lists the agents")
        }
        return try AgentConnection(
            connectingTo: AgentLocation(path: path),
            deadline: .now.advanced(by: discovery.timeout))
    }

    /// A socket that bears an agent's name, in whosever directory.
    private static func candidate(_ path: String, _ facts: FileFacts) -> AgentCandidate? {
        guard let slash = path.lastIndex(of: "/"),
            let name = SocketName(fileName: String(path[path.index(after: slash)...]))
        else { return nil }
        return AgentCandidate(
            location: AgentLocation(path: path), name: name, identity: facts.identity)
    }
}
