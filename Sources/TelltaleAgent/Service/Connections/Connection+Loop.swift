#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What the ``ConnectionLoop`` does for a connection.
extension Connection {
    /// What has become of it in a turn.
    enum TurnInLoop {
        case answered
        /// It hasn't asked.
        case silent
        /// It needs a thread.
        case leaves(Resumption)
        /// Another thread has it.
        case takenOver
    }

    /// How many bytes are left to the kernel: some 25 requests, which take a tenth of what it grants a client.
    private static let mostPeeked = 2048

    /// Answers what has come where that is done in a moment; waits for nobody but the owner that `direct` waits for.
    ///
    /// Where several have asked it `peeks`, and the request is taken from the kernel after the answer: to take it
    /// wakes a client that waits for the answer, for nothing. One that is alone is woken the sooner for it.
    /// There must be bytes and no error then: a peek takes nothing of them, whosever they are. Whether they were sent
    /// to us is seen before the answer goes out, and before another thread does more with them.
    ///
    /// Where most clients have asked again by their next turn it `takesLater`, several requests at once: one call of
    /// the kernel's less for each, by which 16 sessions have a tenth more answers. Who hasn't asked again by then has
    /// its requests taken: poll tells of what was left as of what is new, and it is the client whose memory they are.
    func answerAtOnce(
        _ conversation: Conversation, peeks: Bool, takesLater: Bool,
        _ buffer: UnsafeMutableRawBufferPointer, _ direct: DirectTurn
    ) -> TurnInLoop {
        guard peeks || discard(conversation) else { return .leaves(.waiting) }
        let result =
            peeks
            ? UnixSocket.peek(at: descriptor.raw, into: buffer)
            : UnixSocket.read(
                from: descriptor.raw, into: buffer, until: .longAgo,
                while: { [descriptor] in descriptor.isOurs })
        switch result {
        case .timedOut: return discard(conversation) ? .silent : .leaves(.waiting)
        case .end, .failed: return .leaves(.waiting)
        case .bytes(let count):
            if peeks { conversation.peeked += count }
            conversation.lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        guard isAllowed, let session = conversation.session as? MachineSession else {
            return .leaves(.waiting)
        }
        do throws(CommandFailure) {
            while let line = try conversation.lines.next() {
                let request = Request(line: line, conversation: conversation, direct: direct)
                guard begin(request) else { return .leaves(.waiting) }
                let isAnswered = session.answerAtOnce(request, direct)
                if direct.isTakenOver { return .takenOver }
                guard isAnswered else {
                    setAside()
                    return .leaves(.request(request))
                }
                // It was looked at to send the answer.
                if !takesLater || !mayStay(conversation) { takePeeked(of: conversation) }
                endRequest(of: conversation)
                guard conversation.unsent.isEmpty, conversation.suitsLoop else {
                    return .leaves(.waiting)
                }
            }
        } catch {
            return .leaves(.refused(error))
        }
        return conversation.lines.isEmpty ? .answered : .leaves(.waiting)
    }

    /// Takes what was only peeked at. To be done before anything else is read, and before the end: the kernel tells
    /// a client of bytes that nobody has read by an error.
    ///
    /// - Returns: False where it was not sent to us: the host has closed the descriptor, and the number is another's.
    func discard(_ conversation: Conversation) -> Bool {
        guard conversation.peeked > 0 else { return true }
        guard descriptor.isOurs else { return false }
        takePeeked(of: conversation)
        return true
    }

    /// Whether what was peeked at may be left to the kernel for now; to be asked of one that was looked at.
    private func mayStay(_ conversation: Conversation) -> Bool {
        guard conversation.peeked <= Self.mostPeeked else { return false }
        if let known = conversation.peeksOn { return known }
        let peeksOn = UnixSocket.peeksOn(behind: conversation.peeked, at: descriptor.raw)
        conversation.peeksOn = peeksOn
        return peeksOn
    }

    private func takePeeked(of conversation: Conversation) {
        guard conversation.peeked > 0 else { return }
        UnixSocket.discard(conversation.peeked, from: descriptor.raw)
        conversation.peeked = 0
    }

    /// Sends as many bytes as can be sent at once, and keeps the rest for ``sendRest(of:)``; false when the peer has
    /// gone.
    func sendAtOnce(_ bytes: UnsafeRawBufferPointer, of conversation: Conversation) -> Bool {
        guard descriptor.isOurs,
            let sent = UnixSocket.writeAtOnce(bytes, to: descriptor.raw)
        else { return false }
        if sent < bytes.count { conversation.unsent += bytes[sent...] }
        return true
    }

    /// Sends what could not be sent at once; false when the peer has gone or doesn't read.
    func sendRest(of conversation: Conversation) -> Bool {
        guard !conversation.unsent.isEmpty else { return true }
        let rest = conversation.unsent
        conversation.unsent = []
        let deadline = MonotonicTime.now.advanced(by: agent.configuration.commandDeadline)
        return rest.withUnsafeBytes { send($0, until: deadline) }
    }
}
#endif
