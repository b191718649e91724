#if TELLTALE_AGENT
import TelltaleSystem

/// Creation of the socket, and its replacement after a loss.
extension Agent {
    /// The cause of the loss of the socket.
    enum Loss {
        /// Its name was removed from the directory.
        case deleted
        /// Host code has closed the descriptor.
        case closed
        /// The process has changed its user; this was the user before.
        case user(UInt32)
    }

    /// Opens the socket. A failure is reported, and signals continue to work without a socket. The old
    /// socket stays if no other can be opened.
    @discardableResult
    func listen(insteadOf old: Listener? = nil) -> Bool {
        let candidates =
            configuration.directory.map { [SocketDirectory(path: $0)] }
            ?? SocketDirectory.candidates(environment: ProcessIdentity.environment)
        var failures: [any Error] = []
        for directory in candidates {
            // The agent's own old socket would otherwise be taken for another process that answers there.
            if let old, old.directory == directory { old.close() }
            do {
                let made = try Listener(directory: directory)
                listener.withLock { $0 = made }
                if let old, old.directory != directory { old.close() }
                made.endsWithProcess()
                note(untrusted: failures, instead: made.path)
                return true
            } catch {
                failures.append(error)
            }
        }
        shared.note(
            "no socket, so `telltale` can't reach this process: "
                + "\(failures.map { "\($0)" }.joined(separator: "; ")); set TELLTALE_DIRECTORY to "
                + "a directory of mode 0700 of this user")
        return false
    }

    // Clients look in all of the usual directories; a user who relies on one of them must know that another
    // user has it.
    private func note(untrusted failures: [any Error], instead path: String) {
        let problems = failures.compactMap { $0 as? SocketDirectory.Problem }
            .filter(\.isOfTrust).map(\.description)
        guard !problems.isEmpty else { return }
        shared.note(
            "\(problems.joined(separator: "; ")), so the socket is \(path) instead; set "
                + "TELLTALE_DIRECTORY to a directory of mode 0700 of this user")
    }

    /// Opens the socket again after a loss; a failure is retried within a second.
    func listenAgain(after loss: Loss) {
        // The process's own exit has removed the socket.
        guard !ProcessEnd.hasBegun else { return }
        let old = listener.withLock { listener -> Listener? in
            if case .user = loss { return listener }
            defer { listener = nil }
            return listener
        }
        switch loss {
        case .deleted: old?.abandon()
        // The name still leads to the socket that was closed.
        case .closed: old?.close()
        case .user: break
        }
        var isUser = false
        if case .user = loss { isUser = true }
        guard listen(insteadOf: isUser ? old : nil),
            let path = listener.withLock({ $0?.path })
        else { return }
        switch loss {
        case .deleted: shared.note("the socket had been deleted and is back at \(path)")
        case .closed:
            shared.note(
                "the service closed descriptors of the agent's (closefrom?); the socket is back at "
                    + path)
        case .user(let before):
            shared.note(
                "the process acts as uid \(ProcessIdentity.uid) now, and as uid \(before) before; "
                    + "the socket is \(path)")
        }
    }

    /// Recreates the wake descriptor if the host has closed it. Returns true if the agent's thread can be
    /// woken.
    func healWake() -> Bool {
        if wake.isOurs { return true }
        do throws(SystemError) {
            try wake.heal()
            SignalTrap.open(wake: wake.writer)
            DescriptorReserve.shared.fill(Self.reservedDescriptors, with: wake.reader)
            // Records that were made while the descriptor was missing are handled in the next round.
            wake.wake()
            return true
        } catch {
            shared.note(
                "the service closed descriptors of the agent's (closefrom?), and no new ones can be had: "
                    + "\(error); signals are answered within 50 ms")
            return false
        }
    }
}
#endif
