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
    }

    private let credentials: PeerCredentials
    private let known = Locked<Peer?>(nil)
    let agent: Agent
    /// By which what it holds of the host is known.
    let identifier = SharedState.current.makeIdentifier()
    /// Of no number where the process had none left; ``apart`` then has the client.
    let descriptor: OwnDescriptor
    let apart: ApartSocket?
    private let state = Locked(State())

    init(descriptor: OwnDescriptor, peer: PeerCredentials, agent: Agent, apart: ApartSocket? = nil)
    {
        self.descriptor = descriptor
        self.apart = apart
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

    /// The user at the other end.
    var uid: UInt32 { credentials.uid }

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
            if let apart { return apart.isGone ? .clientGone : nil }
            // Closed, by us or by the host, the number may be another's by now.
            guard state.isOpen, descriptor.isOurs else { return .clientGone }
            return SocketShutdown.isDone(descriptor.raw) ? .clientGone : nil
        }
    }

    /// Has the thread find the end of its input. Safe from any thread.
    func hangUp() {
        state.withLock { state in
            state.isEnding = true
            apart?.close()
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
            apart?.close()
            if descriptor.isOurs { SocketShutdown.both(descriptor.raw) }
            return true
        }
    }

    /// Closes the descriptor, once; whether it had given way.
    func close() -> Bool {
        agent.holds.letGo(of: identifier, agent)
        agent.pendingChanges.end(identifier)
        return state.withLock { state in
            guard state.isOpen else { return state.gaveWay }
            state.isOpen = false
            apart?.close()
            ForkHook.close(descriptor)
            return state.gaveWay
        }
    }

    // MARK: Requests

    /// Called by a thread before it serves this connection. Returns whether the client is still wanted, and whether
    /// other connections may be queued for the thread.
    func begins() -> (isWanted: Bool, isShared: Bool) {
        state.withLock { state in
            // One that gave way in the queue stays what it was.
            if !state.isEnding { state.isQueued = false }
            return (!state.isEnding, state.isShared)
        }
    }

    /// Notes that a request has come; false if the connection was told to end just before it was read.
    func beginRequest() -> Bool {
        state.withLock { state in
            guard !state.isEnding else { return false }
            state.idleSince = nil
            return true
        }
    }

    /// Notes that all requests that have come are answered.
    func endRequest() { state.withLock { $0.idleSince = .now } }
}
#endif
