#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The loop of a connection's thread: it reads a line, answers it, and reads the next.
extension Connection {
    /// Idle timeout of a client that shares its thread while other clients wait for that thread.
    private static let sharedTimeout = Duration.milliseconds(100)

    /// The bytes received and not answered yet, and the session that answers them.
    private struct Conversation {
        var lines: LineSplitter
        var session: (any Session)?
        /// The deadline for the end of a line that has begun, however slowly its bytes arrive. Between
        /// lines there is no deadline.
        var lineDeadline = MonotonicTime.distantFuture
    }

    /// Answers requests, one after another, until the client disconnects.
    func serve() {
        let (isWanted, isShared) = begins()
        guard isWanted else { return }
        var conversation = Conversation(
            lines: LineSplitter(limit: agent.configuration.maximumRequestBytes))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        while read(&conversation, into: buffer, isShared), answer(&conversation) {}
    }

    /// Reads the client's next bytes; false if the connection has ended.
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
                // A client that has its answer usually pauses before its next request.
                waitsFirst: isIdle, while: { [descriptor] in descriptor.isOurs })
        switch result {
        case .bytes(let count):
            conversation.lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        case .end:
            answerLast(&conversation)
            return false
        case .timedOut where isIdle:
            // The thread serves no other client in the meantime.
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

    /// Answers the complete lines received so far; false if the connection has ended.
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
        // The process may have changed its user since the client connected.
        guard isAllowed else {
            session.refuse(
                CommandFailure(
                    .denied,
                    "the process acts as uid \(ProcessIdentity.uid) now, and you are "
                        + "uid \(uid)"))
            return false
        }
        guard beginRequest() else { return false }
        // A client that has already sent its next request is not idle in between.
        defer { if !conversation.lines.hasLine { endRequest() } }
        return session.answer(line)
    }

    /// Answers the last line of an interactive client, which may lack its newline. An incomplete line is
    /// not run if the agent has hung up.
    private func answerLast(_ conversation: inout Conversation) {
        guard !conversation.lines.isEmpty, !(conversation.session is MachineSession) else { return }
        [UInt8(ascii: "\n")].withUnsafeBytes { conversation.lines.append($0) }
        guard let line = try? conversation.lines.next(), beginRequest() else { return }
        _ = (conversation.session ?? makeSession(first: line.first)).answer(line)
        endRequest()
    }

    /// Creates a program's session if the first byte is a brace, else an interactive one.
    private func makeSession(first: UInt8?) -> any Session {
        first == UInt8(ascii: "{")
            ? MachineSession(connection: self) : PersonSession(connection: self)
    }
}

/// The dialogue with one kind of client.
protocol Session {
    /// Answers one line; false ends the connection.
    func answer(_ line: [UInt8]) -> Bool
    /// Tells the client why the connection ends.
    func refuse(_ failure: CommandFailure)
}
#endif
