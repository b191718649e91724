#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The open connections, bounded, each with a thread. One slot is always kept for a new connection: the
/// connection that has been idle longest gives way to it. While that connection ends, new clients wait at
/// the listening socket, so there are never more connections than the limit, however many clients connect
/// at once.
final class ConnectionTable: Sendable {
    private struct State {
        var connections: [Connection] = []
        /// The number of connections that were told to give way and have not ended yet.
        var leaving = 0
        var turnedAway = 0
        var isClosed = false
    }

    private let limit: Int
    private let state = Locked(State())
    private let threads: AgentThreads

    init(limit: Int, threads: AgentThreads) {
        self.limit = limit
        self.threads = threads
    }

    /// The number of open connections, and of clients that were refused since the start.
    var counts: (open: Int, turnedAway: Int) {
        state.withLock { ($0.connections.count, $0.turnedAway) }
    }

    /// True if the next client has to wait for a slot: all are taken, and one becomes free as soon as the
    /// thread of a connection that gave way has run. The agent's thread is woken then.
    var isCrowded: Bool { state.withLock { isCrowded($0) } }

    /// True if all slots are taken.
    var isFull: Bool { state.withLock { $0.connections.count >= limit } }

    /// Returns true if a waiting client can be accepted now, even if only to refuse it; false while the
    /// table is crowded.
    ///
    /// If all connections were busy when the last slot was taken, none has given way yet; one that is idle
    /// by now does.
    func findsPlace() -> Bool {
        state.withLock { state in
            if state.connections.count >= limit, state.leaving == 0 {
                _ = Self.makeRoom(in: &state)
            }
            return !isCrowded(state)
        }
    }

    private func isCrowded(_ state: State) -> Bool {
        state.leaving > 0 && state.connections.count >= limit
    }

    /// True if a connection is waiting for a thread that another connection has.
    var hasQueued: Bool {
        state.withLock { $0.connections.contains(where: \.isQueued) }
    }

    /// Admits a client if the kernel's credentials allow it, and refuses all others. `ForkHook.made` made
    /// the connected socket; it is closed in the end.
    func admit(_ descriptor: OwnDescriptor, agent: Agent) {
        let peer: PeerCredentials
        do throws(SystemError) {
            peer = try UnixSocket.peer(of: descriptor.raw)
        } catch {
            ForkHook.close(descriptor)
            agent.shared.note("refused a client that the kernel doesn't vouch for: \(error)")
            return
        }
        admit(Connection(descriptor: descriptor, peer: peer, agent: agent), peer)
    }

    /// Admits a client without a descriptor of the process.
    func admit(_ apart: ApartSocket, _ peer: PeerCredentials, agent: Agent) {
        admit(
            Connection(descriptor: OwnDescriptor(-1), peer: peer, agent: agent, apart: apart), peer)
    }

    private func admit(_ connection: Connection, _ peer: PeerCredentials) {
        // Only the same user and root are admitted; no other user receives a single byte.
        guard connection.isAllowed else {
            connection.agent.shared.note(
                "refused a client of another user: "
                    + ProcessFacts.rendered(pid: peer.pid, uid: peer.uid))
            _ = connection.close()
            return
        }
        // A thread for it, and its first answer, take memory too.
        if let shortage = MemoryRoom.shortage() { return connection.refuse(shortage.failure) }
        let isIn = state.withLock { state -> Bool in
            guard !state.isClosed else { return false }
            // All connections are busy: otherwise one would have given way, and this client would not have
            // been accepted yet.
            guard state.connections.count < limit else {
                state.turnedAway += 1
                return false
            }
            // The new connection takes the last free slot, and another slot is freed for the next.
            if state.connections.count == limit - 1 { _ = Self.makeRoom(in: &state) }
            state.connections.append(connection)
            return true
        }
        guard isIn else {
            return connection.refuse(
                CommandFailure(
                    .bound, "the agent has \(limit) connections, all of them busy",
                    hint: "try again in a moment, or end one of them"))
        }
        start(connection)
    }

    /// Serves a connection on a thread.
    private func start(_ connection: Connection) {
        let agent = connection.agent
        let body: @Sendable () -> Void = { [self] in
            connection.serve()
            if remove(connection) { agent.wake.wake() }
        }
        do throws(SystemError) {
            try threads.run(.connection, body)
        } catch {
            // The reserved worker exists for a process that can't create another thread; the client waits
            // for it.
            connection.queue()
            agent.workers.submit(body)
        }
    }

    func closeAll() {
        let all = state.withLock { state in
            state.isClosed = true
            return state.connections
        }
        for connection in all { connection.hangUp() }
    }

    /// Makes the longest idle connection give way; false if all are busy or ending.
    private static func makeRoom(in state: inout State) -> Bool {
        let idle = state.connections.compactMap { one in
            one.idleSince.map { (one, since: $0, isQueued: one.isQueued) }
        }
        // Connections with a thread go first: others may be waiting for that thread.
        let order = idle.sorted {
            ($0.isQueued ? 1 : 0, $0.since) < ($1.isQueued ? 1 : 0, $1.since)
        }
        // A request may have arrived since.
        guard let (one, _, _) = order.first(where: { $0.0.giveWay() }) else { return false }
        if one.isQueued {
            // Its thread would not notice the end for a while.
            state.connections.removeAll { $0 === one }
            _ = one.close()
        } else {
            state.leaving += 1
        }
        return true
    }

    /// Removes a connection that has ended, and closes it. Returns true if new clients are waiting for its
    /// slot.
    private func remove(_ connection: Connection) -> Bool {
        // Closed first, since the next connection may find no descriptor otherwise.
        let isLeaving = connection.close()
        return state.withLock { state in
            let wasCrowded = isCrowded(state)
            guard let index = state.connections.firstIndex(where: { $0 === connection }) else {
                return false
            }
            state.connections.remove(at: index)
            if isLeaving { state.leaving -= 1 }
            return wasCrowded
        }
    }
}
#endif
