#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The work of a connection's thread: it reads a line, answers it, and reads the next.
extension Connection {
    /// How long a client that shares its thread may think while other clients wait for that thread.
    private static let sharedTimeout = Duration.milliseconds(100)

    /// The bytes that a client has sent and that are not answered yet, and the session that answers them.
    private struct Conversation {
        var lines: LineSplitter
        var session: (any Session)?
        /// When a line that has begun must have ended, however its bytes trickle in. Between lines a client may
        /// think.
        var lineDeadline = MonotonicTime.distantFuture
    }

    /// Answers requests, one after another, until the client goes.
    func serve() {
        let (isWanted, isShared) = begins()
        guard isWanted else { return }
        var conversation = Conversation(
            lines: LineSplitter(limit: agent.configuration.maximumRequestBytes))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        while read(&conversation, into: buffer, isShared), answer(&conversation) {}
    }

    /// Reads what the client sends next; false if the connection has ended.
    private func read(
        _ conversation: inout Conversation, into buffer: UnsafeMutableRawBufferPointer,
        _ isShared: Bool
    ) -> Bool {
        let isIdle = conversation.lines.isEmpty
        if isIdle {
            conversation.lineDeadline = .distantFuture
        } else if conversation.lineDeadline == .distantFuture {
            conversation.lineDeadline = .now.advanced(by: agent.configuration.commandDeadline)
        }
        let deadline =
            isIdle && isShared ? .now.advanced(by: Self.sharedTimeout) : conversation.lineDeadline
        let result =
            apart?.read(into: buffer, until: deadline)
            ?? UnixSocket.read(
                from: descriptor.raw, into: buffer, until: deadline,
                // A client that has its answer thinks before it asks again.
                waitsFirst: isIdle, while: { [descriptor] in descriptor.isOurs })
        switch result {
        case .bytes(let count):
            conversation.lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        case .end:
            answerLast(&conversation)
            return false
        case .timedOut where isIdle:
            // The thread serves no other client meanwhile.
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

    /// Answers the lines that have come; false if the connection has ended.
    private func answer(_ conversation: inout Conversation) -> Bool {
        do throws(CommandFailure) {
            while let line = try conversation.lines.next() {
                guard answer(line, of: &conversation) else { return false }
            }
            return true
        } catch {
            if let session = conversation.session {
                session.refuse(error)
            } else {
                _ = send(RPCResponse(id: .null, result: .failure(error)).line + "\n")
            }
            return false
        }
    }

    private func answer(_ line: [UInt8], of conversation: inout Conversation) -> Bool {
        let session = conversation.session ?? makeSession(first: line.first)
        conversation.session = session
        conversation.lineDeadline = .distantFuture
        // The process may act as another user than when the client came.
        guard isAllowed else {
            session.refuse(
                CommandFailure(
                    .denied,
                    "the process acts as uid \(ProcessIdentity.uid) now, and you are "
                        + "uid \(uid)"))
            return false
        }
        guard beginRequest() else { return false }
        // A client that has asked for more already is not idle for the moment between.
        defer { if !conversation.lines.hasLine { endRequest() } }
        return session.answer(line)
    }

    /// Answers a person's last line, which may come without its end. Half a line is no command if the agent has hung
    /// up.
    private func answerLast(_ conversation: inout Conversation) {
        guard !conversation.lines.isEmpty, !(conversation.session is MachineSession) else { return }
        [UInt8(ascii: "\n")].withUnsafeBytes { conversation.lines.append($0) }
        guard let line = try? conversation.lines.next(), beginRequest() else { return }
        _ = (conversation.session ?? makeSession(first: line.first)).answer(line)
        endRequest()
    }

    /// Makes a program's session if the first byte is a brace, else a person's.
    private func makeSession(first: UInt8?) -> any Session {
        first == UInt8(ascii: "{")
            ? MachineSession(connection: self) : PersonSession(connection: self)
    }
}

/// The way in which one kind of client is talked to.
protocol Session {
    /// Answers one line; false ends the connection.
    func answer(_ line: [UInt8]) -> Bool
    /// Says why the connection ends.
    func refuse(_ failure: CommandFailure)
}
#endif
