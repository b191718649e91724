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

    /// How the clients of the loop ask, as its last turn has shown.
    struct Pace {
        /// Most of them have asked.
        var isBusy = false
        /// Many have. An answer wakes its client, and where that one's processor sleeps it takes the loop twice as long
        /// (6 µs more, in a virtual machine). Sent one right behind the other, at the end of a turn, they find it
        /// awake.
        var isCrowded = false

        init() {}

        init(requests: Int, of members: Int) {
            isBusy = requests * 2 >= members
            isCrowded = isBusy && requests >= 8
        }
    }

    /// How many bytes are left to the kernel: some 25 requests, which take a tenth of the memory that it grants a
    /// client where each came in one piece.
    private static let mostPeeked = 2048

    /// Answers what has come where that is done in a moment; waits for nobody but the owner that `direct` waits for.
    ///
    /// Where several have asked it `peeks`, and the request is taken from the kernel after the answer: to take it
    /// wakes a client that waits for the answer, for nothing. One that is alone is woken the sooner for it.
    /// There must be bytes and no error then: a peek takes nothing of them, whosever they are. Whether they were sent
    /// to us is seen before the answer goes out, and before another thread does more with them.
    ///
    /// Of clients that are busy several requests are taken at once, later: one call of the kernel's less for each, by
    /// which 16 sessions have a tenth more answers. Who hasn't asked again by the next turn has them taken: poll
    /// tells of what was left as of what is new, and it is the client whose memory they are.
    func answerAtOnce(
        _ conversation: Conversation, peeks: Bool, _ pace: Pace,
        _ buffer: UnsafeMutableRawBufferPointer, _ direct: DirectTurn
    ) -> TurnInLoop {
        switch read(conversation, peeks: peeks, buffer) {
        case .timedOut: return .silent
        case .end, .failed: return .leaves(.waiting)
        case .bytes(let count):
            conversation.lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        guard isAllowed, let session = conversation.session as? MachineSession else {
            return .leaves(.waiting)
        }
        conversation.sendsLater = pace.isCrowded
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
                endRequest(of: conversation, isSent: !pace.isCrowded)
                // It was looked at to send the answer.
                if !pace.isCrowded { takeOrLeave(conversation, pace) }
                let isSent = pace.isCrowded || conversation.unsent.isEmpty
                guard isSent, conversation.suitsLoop else { return .leaves(.waiting) }
            }
        } catch {
            return .leaves(.refused(error))
        }
        return conversation.lines.isEmpty ? .answered : .leaves(.waiting)
    }

    private func read(
        _ conversation: Conversation, peeks: Bool, _ buffer: UnsafeMutableRawBufferPointer
    ) -> UnixSocket.ReadResult {
        if peeks {
            let result = UnixSocket.peek(at: descriptor.raw, into: buffer)
            if case .bytes(let count) = result { conversation.peeked += count }
            guard result == .timedOut else { return result }
        }
        // Poll tells of what was left to the kernel, and of what can't be peeked at (out of band), until it is taken.
        let wasLeft = conversation.peeked > 0
        guard take(conversation) else { return .end }
        if peeks, wasLeft { return .timedOut }
        return UnixSocket.read(
            from: descriptor.raw, into: buffer, until: .longAgo,
            while: { [descriptor] in descriptor.isOurs })
    }

    /// Takes what was only peeked at. To be done before anything else is read, and before the end: the kernel tells
    /// a client of bytes that nobody has read by an error.
    ///
    /// - Returns: False where it was not sent to us: the host has closed the descriptor, and the number is another's.
    func take(_ conversation: Conversation) -> Bool {
        guard conversation.peeked > 0 else { return true }
        guard descriptor.isOurs else { return false }
        takePeeked(of: conversation)
        return true
    }

    /// Takes what was peeked at, or leaves it to the kernel for now; to be asked of one that was looked at.
    private func takeOrLeave(_ conversation: Conversation, _ pace: Pace) {
        let peeked = conversation.peeked
        guard peeked > 0 else { return }
        if pace.isBusy, peeked <= Self.mostPeeked {
            let peeksOn =
                conversation.peeksOn ?? UnixSocket.peeksOn(behind: peeked, at: descriptor.raw)
            conversation.peeksOn = peeksOn
            if peeksOn { return }
        }
        takePeeked(of: conversation)
    }

    private func takePeeked(of conversation: Conversation) {
        let isAll = UnixSocket.discard(conversation.peeked, from: descriptor.raw)
        conversation.peeked = 0
        // Bytes out of band count otherwise for a peek than for who takes them.
        if !isAll { conversation.peeksOn = UnixSocket.peeksOn(behind: 0, at: descriptor.raw) }
    }

    /// Sends as many bytes as can be sent at once, and keeps the rest for ``sendRest(of:)``, all of them where they go
    /// out at the end of the turn; false when the peer has gone.
    func sendAtOnce(_ bytes: UnsafeRawBufferPointer, of conversation: Conversation) -> Bool {
        guard !conversation.sendsLater else {
            conversation.unsent += bytes
            return true
        }
        guard let sent = writeAtOnce(bytes) else { return false }
        if sent < bytes.count { conversation.unsent += bytes[sent...] }
        return true
    }

    /// Sends what was answered in a turn; false where that can't be, or not all at once.
    func sendAnswers(of conversation: Conversation, _ pace: Pace) -> Bool {
        let sent = conversation.unsent.withUnsafeBytes { writeAtOnce($0) }
        guard let sent else { return false }
        takeOrLeave(conversation, pace)
        if sent < conversation.unsent.count {
            conversation.unsent.removeFirst(sent)
            return false
        }
        conversation.unsent.removeAll(keepingCapacity: true)
        rests()
        return true
    }

    /// How many bytes were sent; nil when the peer has gone.
    private func writeAtOnce(_ bytes: UnsafeRawBufferPointer) -> Int? {
        descriptor.isOurs ? UnixSocket.writeAtOnce(bytes, to: descriptor.raw) : nil
    }

    /// Sends what could not be sent at once; false when the peer has gone or doesn't read.
    func sendRest(of conversation: Conversation) -> Bool {
        guard !conversation.unsent.isEmpty else { return true }
        let rest = conversation.unsent
        conversation.unsent = []
        let deadline = MonotonicTime.now.advanced(by: agent.configuration.commandDeadline)
        guard rest.withUnsafeBytes({ send($0, until: deadline) }) else { return false }
        rests()
        return true
    }
}
#endif
