package import TelltaleProtocol
package import TelltaleSystem

/// A connection whose `hello` was sent and not yet answered, so that many agents can be asked at once.
package struct PendingHandshake: ~Copyable {
    let location: AgentLocation
    let peer: PeerCredentials
    let early: EarlyRequest?
    let began: MonotonicTime
    private var channel: MessageChannel

    /// Connects to the socket at `location` and sends `hello`, and `early` behind it.
    package static func begin(
        at location: AgentLocation, deadline: MonotonicTime, early: EarlyRequest? = nil
    ) throws(CommandFailure) -> PendingHandshake {
        let began = MonotonicTime.now
        let socket = try reaching(location) { () throws(SystemError) in
            try UnixSocket.connect(to: location.path, deadline: deadline)
        }
        let peer = try reaching(location) { () throws(SystemError) in
            try UnixSocket.peer(of: socket.raw)
        }
        try check(peer, of: location)
        let early = early.flatMap { $0.isMeant(for: peer) ? $0 : nil }
        let channel = MessageChannel(socket)
        let greeting = try Request(
            HelloCommand.self,
            HelloCommand.Parameters(
                protocolVersion: ProtocolVersion.current,
                client: "telltale \(ProductVersion.current)"))
        let hello = RPCRequest(
            id: .integer(1), method: greeting.method, params: greeting.parameters)
        // An agent that refuses this user may have closed the connection already; its answer, read
        // next, tells the reason.
        let lines = early.map { "\(hello.line)\n\($0.line)" } ?? hello.line
        _ = channel.send(lines, deadline: deadline)
        return PendingHandshake(
            location: location, peer: peer, early: early, began: began, channel: channel)
    }

    private static func reaching<Value: ~Copyable>(
        _ location: AgentLocation, _ body: () throws(SystemError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw failure(of: error, at: location)
        }
    }

    consuming func takeChannel() -> MessageChannel { channel }

    /// The listening process must belong to the user himself, to root, or to the directory's owner:
    /// no other program is told anything.
    private static func check(
        _ peer: PeerCredentials, of location: AgentLocation
    ) throws(CommandFailure) {
        let own = ProcessIdentity.uid
        if peer.uid == 0 || peer.uid == own { return }
        if own == 0, location.owner == nil || location.owner == peer.uid { return }
        throw CommandFailure(
            .denied,
            "\(location.path) is listened on by uid \(peer.uid), and you are uid \(own)",
            hint: "run telltale as that user")
    }

    static func check(
        _ line: [UInt8], at location: AgentLocation
    ) throws(CommandFailure) -> HelloAnswer {
        guard case .response(let response) = try RPCIncoming.parse(line) else {
            throw CommandFailure(
                .protocolError, "\(location.path) did not begin with a handshake",
                hint: "is another program listening there?")
        }
        let answer = try HelloAnswer(result: response.result.get())
        guard ProtocolVersion.isSupported(answer.protocolVersion) else {
            throw CommandFailure(
                .protocolError,
                "\(answer.name)(\(answer.pid)) speaks version \(answer.protocolVersion) of the "
                    + "protocol, and this client \(ProtocolVersion.oldest) to "
                    + "\(ProtocolVersion.current)",
                hint: "use the client of the package that the service was built with")
        }
        return answer
    }

    static func failure(
        of trouble: MessageChannel.Trouble, at location: AgentLocation, peer: PeerCredentials,
        within time: String
    ) -> CommandFailure {
        switch trouble {
        case .timedOut:
            CommandFailure(
                .timeout, "\(location.path) is not answering: no handshake within \(time)",
                hint:
                    "its process may be stopped or out of connections; --timeout waits longer, and "
                    + "kill -USR1 PID still dumps")
        case .ended:
            if peer.uid == ProcessIdentity.uid || ProcessIdentity.uid == 0 {
                CommandFailure(
                    .unreachable, "\(location.path) closed the connection without answering",
                    hint: "its process has just ended, or it has as many connections as it takes")
            } else {
                CommandFailure(
                    .denied,
                    "\(location.path) belongs to uid \(peer.uid) and does not answer uid "
                        + "\(ProcessIdentity.uid)",
                    hint: "an agent answers its own user and root only")
            }
        case .interrupted: .interrupted
        case .tooLong, .failed:
            CommandFailure(.protocolError, "\(location.path) does not speak as an agent does")
        }
    }

    static func failure(of error: SystemError, at location: AgentLocation) -> CommandFailure {
        let path = location.path
        if error.isTimeout {
            return CommandFailure(
                .timeout, "\(path) is not answering: its queue of connections is full",
                hint: "its process may be stopped; kill -CONT PID lets it go on")
        }
        if error.isRefused {
            return CommandFailure(
                .unreachable, "the agent at \(path) is gone",
                hint: "the process has ended, or its agent was stopped; `telltale` lists the others"
            )
        }
        if error.isDenied {
            return CommandFailure(
                .denied, "\(path) may not be opened by uid \(ProcessIdentity.uid)",
                hint: "run telltale as the service's user, or as root")
        }
        return CommandFailure(
            .unreachable, "\(error)", hint: "`telltale` lists the agents that can be reached")
    }
}
