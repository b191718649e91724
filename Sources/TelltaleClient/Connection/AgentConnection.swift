package import TelltaleProtocol
package import TelltaleSystem

/// A connection to one agent, after its handshake. Used by one thread at a time.
package final class AgentConnection {
    package let location: AgentLocation
    /// The agent's greeting.
    package let hello: HelloAnswer
    /// The listening process, as the kernel reports it.
    package let peer: PeerCredentials

    private var channel: MessageChannel
    private var lastIdentifier: Int64 = 1
    /// A request that was sent with the greeting and whose answer has not been asked for yet.
    private var early: EarlyRequest?
    /// Indicates that the connection can't be used any more: it failed, or the answer of an
    /// abandoned request is still to come.
    package private(set) var isBroken = false
    /// Indicates that the last answer marked its request as holding a secret; nil without an answer.
    package private(set) var broughtSecret: Bool?
    /// The name of the service's code that runs for the request, and the process, to learn how it ended.
    private var running: (code: String, process: WatchedProcess?)?
    /// Called repeatedly while an answer is awaited, after the first half second; `nil` for no
    /// call.
    package var onDelay: (() -> Void)? {
        get { channel.onDelay }
        set { channel.onDelay = newValue }
    }
    /// The maximum size of the lines that are sent ahead of one answer, in bytes.
    package var longestStream = MessageChannel.longestReply

    /// Connects and shakes hands, until `interrupt` can be read. A failure describes the file at
    /// that path.
    package convenience init(
        connectingTo location: AgentLocation, deadline: MonotonicTime, interrupt: Int32? = nil
    ) throws(CommandFailure) {
        try self.init(
            finishing: PendingHandshake.begin(at: location, deadline: deadline), deadline: deadline,
            interrupt: interrupt)
    }

    /// Waits for the answer to a handshake that was begun.
    package init(
        finishing pending: consuming PendingHandshake, deadline: MonotonicTime,
        interrupt: Int32? = nil
    ) throws(CommandFailure) {
        location = pending.location
        peer = pending.peer
        early = pending.early
        let began = pending.began
        channel = pending.takeChannel()
        let (location, peer) = (location, peer)
        let time = RequestTimeout.text(waitingFrom: began, to: deadline)
        let line = try channel.nextLine(
            limit: MessageChannel.longestGreeting, deadline: deadline, interrupt: interrupt
        ) {
            PendingHandshake.failure(of: $0, at: location, peer: peer, within: time)
        }
        hello = try PendingHandshake.check(line, at: location)
    }

    /// The process id by which this process knows the agent; the agent's own id if it is inside a pid
    /// namespace that can't be seen from here.
    package var pid: Int32 { peer.pid > 0 ? peer.pid : hello.pid }

    /// `photo-manager(4242)`, or `app/photo-manager(4242)` where it is another user's.
    package var title: String { (otherUser.map { "\($0)/" } ?? "") + "\(hello.name)(\(pid))" }

    /// The same in a list: `photo-manager (4242)`.
    var listedTitle: String { (otherUser.map { "\($0)/" } ?? "") + "\(hello.name) (\(pid))" }

    /// The process's user, by name or number, if it isn't this user: root reaches every user's agents.
    package var otherUser: String? {
        guard peer.uid != ProcessIdentity.uid else { return nil }
        return UserNames.name(of: peer.uid) ?? "\(peer.uid)"
    }

    /// True if the agent still holds its end, as far as can be seen without a request.
    package var isOpen: Bool {
        // Between two commands only late answers can arrive, and those break the connection.
        !isBroken
            && DescriptorWait.wait(for: channel.descriptor, interrupt: nil, until: .now)
                == .timedOut
    }

    /// Ends the connection, so that the agent knows at once that the client is gone, even if this
    /// object lives on.
    package func hangUp() {
        isBroken = true
        SocketShutdown.both(channel.descriptor)
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - limit: How long the owner and the agent may take; nil for the agent's own bounds.
    ///   - interrupt: A descriptor that ends the wait as soon as it can be read. The connection
    ///     must be given up after that: an answer may still be under way.
    ///   - onPart: Called with lines that come ahead of the answer.
    /// - Returns: The answer.
    /// - Throws: The agent's failure, or one of the connection; `.bound` if the answer, or all the lines
    ///   ahead of it together, exceed the client's limit.
    package func answer(
        to request: Request, limit: Duration? = nil, interrupt: Int32? = nil,
        onPart: ([String]) -> Void = { _ in }
    ) throws(CommandFailure) -> any CommandAnswer {
        try request.command.answer(
            from: result(of: request, limit: limit, interrupt: interrupt, onPart: onPart))
    }

    package func answer<Asked: Command>(
        to command: Asked.Type, _ parameters: Asked.Parameters, limit: Duration? = nil
    ) throws(CommandFailure) -> Asked.Answer {
        let request = try Request(command, parameters)
        return try Asked.Answer(
            result: result(of: request, limit: limit, interrupt: nil, onPart: { _ in }))
    }

    private func result(
        of request: Request, limit: Duration?, interrupt: Int32?, onPart: ([String]) -> Void
    ) throws(CommandFailure) -> JSONValue {
        let timeout = RequestTimeout(of: request, limit: limit)
        broughtSecret = nil
        // Opened before the service can end: afterwards the kernel reports the status only to its parent.
        let watched = timeout.isAnnounced ? WatchedProcess(pid: pid) : nil
        var identifier = sentEarly(request, limit)
        if identifier == nil { identifier = try send(request, timeout) }
        var room = longestStream
        var isFirst = true
        running = nil
        while true {
            // Neither an endless stream of parts nor answers to other requests extend the wait.
            guard isFirst || timeout.deadline > .now else {
                throw failure(of: .timedOut, timeout)
            }
            isFirst = false
            let line = try channel.nextLine(deadline: timeout.deadline, interrupt: interrupt) {
                failure(of: $0, timeout)
            }
            switch try RPCIncoming.parse(line) {
            case .notification(let part):
                guard part.params["id"] == identifier else { continue }
                if let code = part.code {
                    running = (code, watched)
                    continue
                }
                let lines = part.lines
                // An empty line takes memory too.
                room -= lines.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride }
                guard room >= 0 else { throw failure(of: .tooLong(longestStream), timeout) }
                onPart(lines)
            case .response(let response):
                // A lower number is the late answer to an abandoned request.
                guard response.id == identifier || response.id == .null else { continue }
                broughtSecret = response.bringsSecret
                return try response.result.get()
            }
        }
    }

    /// Sends a request whose answer is fetched later, so that many agents work at the same time.
    /// Returns the request's number, `nil` if the agent has gone.
    func begin(_ request: Request) -> JSONValue? {
        try? send(request, RequestTimeout(of: request, limit: nil))
    }

    /// Waits for the answer to a request that was sent; an answer of more than a mebibyte is dropped.
    func finish(_ identifier: JSONValue, deadline: MonotonicTime) -> JSONValue? {
        while let line = try? channel.nextLine(
            limit: MessageChannel.longestGreeting, deadline: deadline, interrupt: nil,
            explain: { _ in .interrupted }),
            let message = try? RPCIncoming.parse(line)
        {
            if case .response(let response) = message, response.id == identifier {
                return try? response.result.get()
            }
        }
        return nil
    }

    private func sentEarly(_ request: Request, _ limit: Duration?) -> JSONValue? {
        guard let early else { return nil }
        self.early = nil
        lastIdentifier = EarlyRequest.number
        guard early.request == request, early.limit == limit else { return nil }
        return .integer(EarlyRequest.number)
    }

    private func send(_ request: Request, _ timeout: RequestTimeout) throws(CommandFailure)
        -> JSONValue
    {
        lastIdentifier += 1
        let identifier = JSONValue.integer(lastIdentifier)
        let message = RPCRequest(
            id: identifier, method: request.method, params: timeout.parameters(of: request))
        guard channel.send(message.line, deadline: timeout.deadline) else {
            throw failure(of: .ended, timeout)
        }
        return identifier
    }

    private func failure(of trouble: MessageChannel.Trouble, _ timeout: RequestTimeout)
        -> CommandFailure
    {
        isBroken = true
        if case .interrupted = trouble { return .interrupted }
        let doing = running.map { " while it ran \($0.code.escaped(limit: 200))" } ?? ""
        if case .ended = trouble, running != nil { return ended(doing) }
        if let halt = ProcessHalt(ofSilent: pid) { return halt.failure(of: pid) }
        return switch trouble {
        case .timedOut:
            CommandFailure(
                .timeout, "\(title) did not answer within \(timeout.text)\(doing)",
                hint: "`telltale` says whether it is stopped; --timeout waits longer")
        case .ended: ended(doing)
        case .interrupted: .interrupted
        case .tooLong(let limit):
            CommandFailure(
                .bound,
                "the answer of \(title) is longer than \(Quantity.bytes(limit)), which is as much as is held here",
                hint: "ask for less: a longer path, --depth or --limit")
        case .failed(let error):
            CommandFailure(.unreachable, "the connection to \(title) failed: \(error)")
        }
    }
}

extension AgentConnection {
    /// The time that a process which has closed its connection has to end.
    private static let dying = Duration.seconds(1)

    /// The failure after the service has closed the connection, or has ended.
    private func ended(_ doing: String) -> CommandFailure {
        let end = running?.process?.end(by: .now.advanced(by: Self.dying))
        guard let end else {
            return CommandFailure(
                .unreachable, "\(title) closed the connection before it answered\(doing)",
                hint: ProcessFiles(pid: pid).stat == nil
                    ? "the process has ended" : "`telltale` lists the agents that can be reached")
        }
        switch end {
        case .signal(let signal):
            return CommandFailure(
                .unreachable, "\(title) ended (\(SignalNumber.name(signal)))\(doing)",
                hint: "its standard error may say more")
        case .exit(let status):
            return CommandFailure(
                .unreachable, "\(title) ended with exit status \(status)\(doing)")
        case .unknown:
            return CommandFailure(
                .unreachable, "\(title) ended\(doing)",
                hint: "the kernel tells by which signal to who started it")
        }
    }
}

extension CommandFailure {
    /// The failure of a command that was ended by Ctrl-C.
    package static var interrupted: CommandFailure {
        CommandFailure(Code(rawValue: "interrupted"), "interrupted")
    }

    /// Indicates that the command was ended by Ctrl-C.
    package var isInterruption: Bool { code.rawValue == "interrupted" }
}
