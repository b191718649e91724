#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// One client, served on a thread of its own.
///
/// A first byte of `{` means a program, which sends lines of JSON-RPC 2.0; any other byte means a person,
/// who types the same commands.
final class Connection: Sendable {
    private struct State {
        var isOpen = true
        /// The agent has told the connection to end, and it answers nothing more.
        var isEnding = false
        /// It ends in favour of a new connection.
        var gaveWay = false
        /// It has no thread of its own, and shares one with other connections.
        var isShared = false
        /// It is waiting for that thread.
        var isQueued = false
        var idleSince: MonotonicTime? = .now
    }

    private let credentials: PeerCredentials
    private let known = Locked<Peer?>(nil)
    private let knownAuthor = Locked<Peer?>(nil)
    let agent: Agent
    /// Identifies the queues and the pending changes of the service that the connection holds.
    let identifier = SharedState.current.makeIdentifier()
    /// Has the number -1 if the process had no descriptor left; ``apart`` then has the client.
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

    /// The client process. Its program name is read at the first access, which must happen while the client
    /// waits: afterwards the pid may belong to another process.
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

    /// The client process as the author of a change, with its terminal and the user who logged in, as far as
    /// they can be read. Read at the first change, which must happen while the client waits, as ``peer`` is.
    var author: Peer {
        var author = peer
        guard author.pid > 0 else { return author }
        return knownAuthor.withLock { known in
            if let known { return known }
            let files = ProcessFiles(pid: author.pid)
            author.terminal = files.stat?.terminal
            author.login = files.loginUser.flatMap { $0 == author.uid ? nil : $0 }
            known = author
            return author
        }
    }

    /// The user id of the client.
    var uid: UInt32 { credentials.uid }

    /// True if the client may still send requests: its user is root or the current user of the process.
    var isAllowed: Bool {
        credentials.uid == 0 || credentials.uid == ProcessIdentity.uid
    }

    /// The time since which it has been waiting for a request; nil while it answers one, and once it is to
    /// end.
    var idleSince: MonotonicTime? {
        state.withLock { $0.isEnding ? nil : $0.idleSince }
    }

    /// True while no thread serves it, and none may become free for a while.
    var isQueued: Bool { state.withLock { $0.isQueued } }

    /// Must be called before the connection is passed to a shared thread.
    func queue() {
        state.withLock { state in
            state.isShared = true
            state.isQueued = true
        }
    }

    // MARK: End

    /// The reason why the client no longer waits for an answer.
    enum End: String {
        case clientGone = "the client has gone"
        case stopped = "the agent was stopped"
    }

    /// The reason why the connection has ended; nil while it is open. A client that has only shut down its
    /// sending side is still connected.
    ///
    /// Makes one system call that does not block, so a host thread may call it too.
    var end: End? {
        state.withLock { state in
            if state.isEnding { return .stopped }
            if let apart { return apart.isGone ? .clientGone : nil }
            // The descriptor may have been closed, by us or by the host, and its number reused.
            guard state.isOpen, descriptor.isOurs else { return .clientGone }
            return SocketShutdown.isDone(descriptor.raw) ? .clientGone : nil
        }
    }

    /// Makes the connection's thread see the end of its input. Safe from any thread.
    func hangUp() {
        state.withLock { state in
            state.isEnding = true
            apart?.close()
            if state.isOpen, descriptor.isOurs { SocketShutdown.both(descriptor.raw) }
        }
    }

    /// Ends the connection in favour of a new one, unless it is busy or has given way before.
    ///
    /// - Returns: True if it ends now; its thread then has nothing left to wait for.
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

    /// Closes the descriptor, once. Returns true if the connection had given way.
    func close() -> Bool {
        agent.holds.letGo(of: identifier, agent)
        agent.pendingChanges.end(identifier)
        let gaveWay = state.withLock { state in
            guard state.isOpen else { return state.gaveWay }
            state.isOpen = false
            apart?.close()
            ForkHook.close(descriptor)
            return state.gaveWay
        }
        // An evaluation that ends from now on finds its client gone.
        SharedState.current.evaluations.end(identifier)
        return gaveWay
    }

    // MARK: Requests

    /// Called by a thread before it serves this connection. Returns whether the client is still connected,
    /// and whether other connections may be queued for the thread.
    func begins() -> (isWanted: Bool, isShared: Bool) {
        state.withLock { state in
            // A connection that gave way while it was queued keeps its mark.
            if !state.isEnding { state.isQueued = false }
            return (!state.isEnding, state.isShared)
        }
    }

    /// Records that a request has arrived; false if the connection was told to end just before it was read.
    func beginRequest() -> Bool {
        state.withLock { state in
            guard !state.isEnding else { return false }
            state.idleSince = nil
            return true
        }
    }

    /// Records that all requests received so far are answered.
    func endRequest() { state.withLock { $0.idleSince = .now } }
}
#endif
