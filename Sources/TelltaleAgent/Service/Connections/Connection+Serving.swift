#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What a thread of its own does for a connection.
extension Connection {
    /// How long one that shares its thread may think while others wait for it.
    private static let sharedTimeout = Duration.milliseconds(100)

    /// What a thread is to do with a connection that another one had.
    enum Resumption: Sendable {
        case waiting
        /// With this request, which has begun.
        case request(Request)
        /// With what its client is told at the end.
        case refused(CommandFailure)
    }

    /// Where a connection is when a thread is done with it.
    enum Served {
        case ended
        /// It is another thread's, or the loop's.
        case passedOn
        /// It is the loop's, which this thread is to run.
        case loop(run: Int)
    }

    /// Answers requests until the peer goes, or another thread has it.
    func serve() -> Served {
        serve(Conversation(limit: agent.configuration.maximumRequestBytes), from: .waiting)
    }

    /// Begins a request anew that was taken from another thread, and goes on.
    func serve(again request: Request) -> Served {
        request.conversation.leftLoop()
        // What was answered before it goes out before it.
        guard take(request.conversation), sendRest(of: request.conversation) else { return .ended }
        return serve(request.conversation, after: answer(request, nil))
    }

    /// Goes on where another thread has left.
    func serve(_ conversation: Conversation, from resumption: Resumption) -> Served {
        conversation.leftLoop()
        guard take(conversation), sendRest(of: conversation) else { return .ended }
        switch resumption {
        case .waiting: return serve(conversation, after: .goesOn)
        case .request(let request):
            let direct = begins().isShared ? nil : DirectTurn()
            var own = request
            own.direct = direct
            guard begin(own) else { return .ended }
            return serve(conversation, after: answer(own, direct), direct)
        case .refused(let failure):
            conversation.session?.refuse(failure)
            return .ended
        }
    }

    /// For what one call of the kernel's reads; the caller's to free.
    static func makeBuffer() -> UnsafeMutableRawBufferPointer {
        .allocate(byteCount: 16_384, alignment: 16)
    }

    private func serve(
        _ conversation: Conversation, after first: Progress, _ turn: DirectTurn? = nil
    ) -> Served {
        let (isWanted, isShared) = begins()
        guard first != .takenOver else { return .passedOn }
        guard isWanted, first == .goesOn else { return .ended }
        let direct = isShared ? nil : turn ?? DirectTurn()
        let buffer = Self.makeBuffer()
        defer { buffer.deallocate() }
        var look = EagerLook()
        while true {
            switch answer(conversation, direct) {
            case .goesOn: break
            case .ended: return .ended
            case .takenOver: return .passedOn
            }
            if !isShared, conversation.lines.isEmpty, conversation.suitsLoop {
                let loop = agent.connections.loop
                switch loop.offer(ConnectionLoop.Member(self, conversation)) {
                case .runs(let run): return .loop(run: run)
                case .passedOn: return .passedOn
                case .waits(let ticket, let isAlone):
                    let hasCome =
                        isAlone && look.finds { UnixSocket.hasCome(to: descriptor.raw) }
                    if !hasCome {
                        UnixSocket.waitToRead(from: descriptor.raw)
                    }
                    guard loop.withdraw(ticket) else { return .passedOn }
                }
            }
            guard read(conversation, into: buffer, isShared) else { return .ended }
        }
    }

    /// Reads what the client sends next; false where the connection has ended.
    private func read(
        _ conversation: Conversation, into buffer: UnsafeMutableRawBufferPointer, _ isShared: Bool
    ) -> Bool {
        let isIdle = conversation.lines.isEmpty
        if isIdle {
            conversation.lineDeadline = .distantFuture
        } else if conversation.lineDeadline == .distantFuture {
            conversation.lineDeadline = .now.advanced(by: agent.configuration.commandDeadline)
        }
        let result = UnixSocket.read(
            from: descriptor.raw, into: buffer,
            until: isIdle && isShared
                ? .now.advanced(by: Self.sharedTimeout) : conversation.lineDeadline,
            // Who has an answer thinks before the next question.
            waitsFirst: isIdle && !conversation.suitsLoop,
            while: { [descriptor] in descriptor.isOurs })
        switch result {
        case .bytes(let count):
            conversation.lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        case .end:
            answerLast(conversation)
            return false
        case .timedOut where isIdle:
            // Nobody else is served as long as it has the thread.
            return !agent.connections.hasQueued
        case .timedOut:
            conversation.session?.refuse(
                CommandFailure(
                    .protocolError,
                    "a request was begun and not ended in "
                        + Quantity.time(agent.configuration.commandDeadline)))
            return false
        case .failed: return false
        }
    }
}
#endif
