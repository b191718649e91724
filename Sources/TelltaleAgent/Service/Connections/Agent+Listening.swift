#if TELLTALE_AGENT
import TelltaleSystem

/// Making the socket, and making it anew where it was lost.
extension Agent {
    /// How the socket was lost.
    enum Loss {
        /// Its name was taken out of the directory.
        case deleted
        /// Somebody has closed the descriptor.
        case closed
        /// The process acts as another user by now.
        case user(UInt32)
    }

    /// Opens the socket; what fails is said, and signals go on working without it. The old one stays
    /// where no other can be had.
    @discardableResult
    func listen(insteadOf old: Listener? = nil) -> Bool {
        let candidates =
            configuration.directory.map { [SocketDirectory(path: $0)] }
            ?? SocketDirectory.candidates(environment: ProcessIdentity.environment)
        var failures: [any Error] = []
        for directory in candidates {
            // Its own old socket would be taken for somebody else who answers there.
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

    // Clients look in all of the usual places; who relies on one of them must know that it is taken.
    private func note(untrusted failures: [any Error], instead path: String) {
        let problems = failures.compactMap { $0 as? SocketDirectory.Problem }
            .filter(\.isOfTrust).map(\.description)
        guard !problems.isEmpty else { return }
        shared.note(
            "\(problems.joined(separator: "; ")), so the socket is \(path) instead; set "
                + "TELLTALE_DIRECTORY to a directory of mode 0700 of this user")
    }

    /// Opens the socket again after it was lost; what fails is tried again within a second.
    func listenAgain(after loss: Loss) {
        // It was taken away by the process's own end.
        guard !ProcessEnd.hasBegun else { return }
        let old = listener.withLock { listener -> Listener? in
            if case .user = loss { return listener }
            defer { listener = nil }
            return listener
        }
        switch loss {
        case .deleted: old?.abandon()
        // Its name still leads to the socket that was closed.
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
                "the host closed descriptors of the agent's (closefrom?); the socket is back at "
                    + path)
        case .user(let before):
            shared.note(
                "the process acts as uid \(ProcessIdentity.uid) now, and as uid \(before) before; "
                    + "the socket is \(path)")
        }
    }

    /// Makes what wakes the agent's thread anew where the host has closed it; whether the thread
    /// can be woken.
    func healWake() -> Bool {
        if wake.isOurs { return true }
        do throws(SystemError) {
            try wake.heal()
            SignalTrap.open(wake: wake.writer)
            DescriptorReserve.shared.fill(Self.reservedDescriptors, with: wake.reader)
            // What was recorded while there was nothing to wake by is taken in the next turn.
            wake.wake()
            return true
        } catch {
            shared.note(
                "the host closed descriptors of the agent's (closefrom?), and no new ones can be had: "
                    + "\(error); signals are answered within 50 ms")
            return false
        }
    }
}
#endif
