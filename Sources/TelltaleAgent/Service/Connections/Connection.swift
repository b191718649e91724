#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// One client, served on a thread of its own.
///
/// A first byte of `{` is a program, which speaks JSON-RPC 2.0 lines; anything else is a person,
/// who types the same commands.
final class Connection: Sendable {
    private struct State {
        var isOpen = true
        /// Was told to end by the agent, and answers nothing more.
        var isEnding = false
        /// That was in favour of a newcomer.
        var gaveWay = false
        /// Has no thread of its own, and shares one with other connections.
        var isShared = false
        /// Waits for that thread.
        var isQueued = false
        var idleSince: MonotonicTime? = .now
        var request: Request?
    }

    private let credentials: PeerCredentials
    private let known = Locked<Peer?>(nil)
    let agent: Agent
    /// By which what it holds of the host is known.
    let identifier = SharedState.current.makeIdentifier()
    let descriptor: OwnDescriptor
    private let state = Locked(State())

    init(descriptor: OwnDescriptor, peer: PeerCredentials, agent: Agent) {
        self.descriptor = descriptor
        self.agent = agent
        credentials = peer
    }

    /// Who is at the other end. The program's name is read when this is first asked for, which must
    /// be while the client waits: afterwards the pid may be another's.
    var peer: Peer {
        known.withLock { known in
            if let known { return known }
            let peer = Peer(
                uid: credentials.uid, pid: credentials.pid,
                program: credentials.pid > 0 ? ProcessFiles(pid: credentials.pid).name : nil)
            known = peer
            return peer
        }
    }

    /// Whether the client may still ask: the user as whom the process acts now, or root.
    var isAllowed: Bool {
        credentials.uid == 0 || credentials.uid == ProcessIdentity.uid
    }

    /// Since when it waits for a request; nil while it answers one, and once it is to end.
    var idleSince: MonotonicTime? {
        state.withLock { $0.isEnding ? nil : $0.idleSince }
    }

    /// Whether no thread serves it yet, and for a while none may.
    var isQueued: Bool { state.withLock { $0.isQueued } }

    /// To be called before it is left to a thread that others use as well.
    func queue() {
        state.withLock { state in
            state.isShared = true
            state.isQueued = true
        }
    }

    // MARK: Ends

    /// Why nobody waits for an answer any more.
    enum End: String {
        case clientGone = "the client has gone"
        case stopped = "the agent was stopped"
    }

    /// Whether it has ended, and why. A client that only sends nothing more still listens.
    ///
    /// One call of the kernel that waits for nothing: also for a thread of the host's.
    var end: End? {
        state.withLock { state in
            if state.isEnding { return .stopped }
            // Closed, by us or by the host, the number may be another's by now.
            guard state.isOpen, descriptor.isOurs else { return .clientGone }
            return SocketShutdown.isDone(descriptor.raw) ? .clientGone : nil
        }
    }

    /// Has the thread find the end of its input. Safe from any thread.
    func hangUp() {
        state.withLock { state in
            state.isEnding = true
            if state.isOpen, descriptor.isOurs { SocketShutdown.both(descriptor.raw) }
        }
    }

    /// Ends it in favour of a newcomer, unless it is busy or did so before.
    ///
    /// - Returns: Whether it ends now; its thread then has nothing left to wait for.
    func giveWay() -> Bool {
        state.withLock { state in
            guard state.isOpen, !state.isEnding, state.idleSince != nil else { return false }
            state.isEnding = true
            state.gaveWay = true
            if descriptor.isOurs { SocketShutdown.both(descriptor.raw) }
            return true
        }
    }

    /// Closes the descriptor, once; whether it had given way.
    func close() -> Bool {
        agent.holds.letGo(of: identifier, agent)
        agent.pendingChanges.end(identifier)
        return state.withLock { state in
            // It leads back here.
            state.request = nil
            guard state.isOpen else { return state.gaveWay }
            state.isOpen = false
            ForkHook.close(descriptor)
            return state.gaveWay
        }
    }

    // MARK: Requests

    /// How far a thread has come with the requests of a connection.
    enum Progress { case goesOn, ended, takenOver }

    /// Answers the lines that are there.
    func answer(_ conversation: Conversation, _ direct: DirectTurn?) -> Progress {
        do throws(CommandFailure) {
            while let line = try conversation.lines.next() {
                let current = conversation.session ?? makeSession(first: line.first)
                conversation.session = current
                conversation.lineDeadline = .distantFuture
                // The process may act as another user than when the client came.
                guard isAllowed else {
                    current.refuse(
                        CommandFailure(
                            .denied,
                            "the process acts as uid \(ProcessIdentity.uid) now, and you are "
                                + "uid \(credentials.uid)"))
                    return .ended
                }
                let request = Request(
                    line: line, conversation: conversation,
                    direct: conversation.isMachine ? direct : nil)
                guard begin(request) else { return .ended }
                let progress = answer(request, request.direct)
                guard progress == .goesOn else { return progress }
            }
            return .goesOn
        } catch {
            if let session = conversation.session {
                session.refuse(error)
            } else {
                _ = send(RPCResponse(id: .null, result: .failure(error)).line + "\n")
            }
            return .ended
        }
    }

    func answer(_ request: Request, _ direct: DirectTurn?) -> Progress {
        let goesOn = request.conversation.session?.answer(request, direct) ?? false
        if direct?.isTakenOver == true { return .takenOver }
        endRequest(of: request.conversation)
        return goesOn ? .goesOn : .ended
    }

    /// Whether its thread waits for an owner for longer than it should.
    var isHeld: Bool { state.withLock { $0.request?.direct?.isHeld == true } }

    /// Takes the request from a thread that ``isHeld``; where `isEnding`, at all. The caller has the connection.
    func takeOver(isEnding: Bool) -> Request? {
        state.withLock { state in
            guard var request = state.request,
                let taken = request.direct?.takeOver(isEnding: isEnding)
            else { return nil }
            request.hasBegun = taken == .begun
            return request
        }
    }

    /// A person's last line may come without its end; but half a line is no command when it was the
    /// agent that hung up.
    func answerLast(_ conversation: Conversation) {
        guard !conversation.lines.isEmpty, !(conversation.session is MachineSession) else { return }
        [UInt8(ascii: "\n")].withUnsafeBytes { conversation.lines.append($0) }
        guard let line = try? conversation.lines.next() else { return }
        let request = Request(line: line, conversation: conversation, direct: nil)
        guard begin(request) else { return }
        _ = (conversation.session ?? makeSession(first: line.first)).answer(request, nil)
        endRequest(of: conversation)
    }

    /// What a thread is to know that comes to serve it: whether somebody still wants an answer, and whether others wait
    /// for this thread.
    func begins() -> (isWanted: Bool, isShared: Bool) {
        state.withLock { state in
            // One that gave way in the queue stays what it was.
            if !state.isEnding { state.isQueued = false }
            return (!state.isEnding, state.isShared)
        }
    }

    /// False when the connection was told to end just before the request was read.
    func begin(_ request: Request) -> Bool {
        let (isBegun, wasIdle) = state.withLock { state -> (Bool, Bool) in
            if state.isEnding { return (false, false) }
            let wasIdle = !Self.isRecent(state.idleSince, at: request.began)
            state.idleSince = nil
            state.request = request
            return (true, wasIdle)
        }
        // The service loop looks after it from now on.
        if wasIdle { agent.wake.wake() }
        return isBegun
    }

    /// Whether it answers, or has just answered.
    var isBusy: Bool { state.withLock { Self.isRecent($0.idleSince, at: .now) } }

    private static func isRecent(_ time: MonotonicTime?, at now: MonotonicTime) -> Bool {
        time.map { now.since($0) < .seconds(1) } ?? true
    }

    /// Ends a request; one whose answer is not sent yet is not idle before ``rests()``.
    func endRequest(of conversation: Conversation, isSent: Bool = true) {
        // Who has asked for more already is not idle for the moment between.
        let isIdle = isSent && !conversation.lines.hasLine
        let now = MonotonicTime.now
        let began = state.withLock { state in
            defer { state.request = nil }
            state.idleSince = isIdle ? now : nil
            return state.request?.began
        }
        if let began { conversation.tookTime(now.since(began)) }
    }

    /// Notes that its answers are sent.
    func rests() {
        state.withLock { state in
            if state.request == nil, state.idleSince == nil { state.idleSince = .now }
        }
    }

    /// Leaves a request that has begun to whoever begins it again.
    func setAside() { state.withLock { $0.request = nil } }
}

/// How one kind of client is talked to.
protocol Session {
    /// Answers one line, with what lets this thread itself wait for owners; false ends the connection.
    func answer(_ request: Connection.Request, _ direct: DirectTurn?) -> Bool
    /// Says why the connection ends.
    func refuse(_ failure: CommandFailure)
}
#endif
