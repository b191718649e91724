#if TELLTALE_AGENT
import TelltaleSystem

/// The connections there are, bounded: each has a thread. One place is always kept for a newcomer:
/// the connection that has been idle longest gives way to it, and while it does, newcomers wait at
/// the listening socket. So there are never more than the limit, however many come at once.
final class ConnectionTable: Sendable {
    private struct State {
        var connections: [Connection] = []
        /// How many of them were told to give way and have not ended yet.
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

    /// How many there are, and how many were turned away since the start.
    var counts: (open: Int, turnedAway: Int) {
        state.withLock { ($0.connections.count, $0.turnedAway) }
    }

    /// Whether the next newcomer has to wait for a place: all are taken, and one will be free as
    /// soon as the thread of a connection that gave way has run. The agent's thread is woken then.
    var isCrowded: Bool { state.withLock { isCrowded($0) } }

    /// Whether all places are taken.
    var isFull: Bool { state.withLock { $0.connections.count >= limit } }

    /// Whether a newcomer that waits can be let in now, be it to be turned away; false where the table is
    /// crowded.
    ///
    /// Where all were busy when the last place was taken nobody has given way yet: one that is idle by now
    /// does.
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

    /// Whether a connection waits for a thread that another one has.
    var hasQueued: Bool {
        state.withLock { $0.connections.contains(where: \.isQueued) }
    }

    /// Takes in a client that the kernel says may come, and turns others away. The connected socket
    /// is one that `ForkHook.made` made; it is closed in the end.
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

    /// Takes in a client without a descriptor of the process's.
    func admit(_ apart: ApartSocket, _ peer: PeerCredentials, agent: Agent) {
        admit(
            Connection(descriptor: OwnDescriptor(-1), peer: peer, agent: agent, apart: apart), peer)
    }

    private func admit(_ connection: Connection, _ peer: PeerCredentials) {
        // The same user or root; nobody else gets one byte.
        guard connection.isAllowed else {
            connection.agent.shared.note(
                "refused a client of another user: "
                    + ProcessFacts.rendered(pid: peer.pid, uid: peer.uid))
            _ = connection.close()
            return
        }
        let isIn = state.withLock { state -> Bool in
            guard !state.isClosed else { return false }
            // All are busy: else one would have given way, and it would not have been accepted yet.
            guard state.connections.count < limit else {
                state.turnedAway += 1
                return false
            }
            // The newcomer takes the last free place, and another is made free for the next.
            if state.connections.count == limit - 1 { _ = Self.makeRoom(in: &state) }
            state.connections.append(connection)
            return true
        }
        guard isIn else { return connection.refuse(limit: limit) }
        start(connection)
    }

    /// Has a connection served on a thread.
    private func start(_ connection: Connection) {
        let agent = connection.agent
        let body: @Sendable () -> Void = { [self] in
            connection.serve()
            if remove(connection) { agent.wake.wake() }
        }
        do throws(SystemError) {
            try threads.run(.connection, body)
        } catch {
            // The worker in reserve is there for a process that can have no further thread; the
            // client waits for it.
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

    /// Has the longest idle connection give way; false when all are busy or on their way out.
    private static func makeRoom(in state: inout State) -> Bool {
        let idle = state.connections.compactMap { one in
            one.idleSince.map { (one, since: $0, isQueued: one.isQueued) }
        }
        // One that has a thread first: others may be waiting for that thread.
        let order = idle.sorted {
            ($0.isQueued ? 1 : 0, $0.since) < ($1.isQueued ? 1 : 0, $1.since)
        }
        // A request may have come since.
        guard let (one, _, _) = order.first(where: { $0.0.giveWay() }) else { return false }
        if one.isQueued {
            // Nobody would see for a while that it has ended.
            state.connections.removeAll { $0 === one }
            _ = one.close()
        } else {
            state.leaving += 1
        }
        return true
    }

    /// Takes out a connection that has ended, and closes it; whether newcomers wait for its place.
    private func remove(_ connection: Connection) -> Bool {
        // Closed first: the next one may find no descriptor otherwise.
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
