#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentSystem

    /// The connections there are, bounded: each has a thread. One place is always kept for a newcomer:
    /// the connection that has been idle longest gives way to it.
    final class ConnectionTable: Sendable {
        private struct State {
            var connections: [Connection] = []
            var turnedAway = 0
            var isClosed = false
        }

        private let limit: Int
        private let state = Locked(State())

        init(limit: Int) { self.limit = limit }

        /// How many there are, and how many were turned away since the start.
        var counts: (open: Int, turnedAway: Int) {
            state.withLock { ($0.connections.count, $0.turnedAway) }
        }

        /// Takes in a client that the kernel says may come, and turns others away.
        ///
        /// - Parameters:
        ///   - descriptor: The connected socket, as `ForkHook.made` made it; closed in the end.
        ///   - agent: Whose commands the client may give.
        func admit(_ descriptor: Int32, agent: Agent) {
            let peer: PeerCredentials
            do throws(SystemError) {
                peer = try UnixSocket.peer(of: descriptor)
            } catch {
                ForkHook.close(descriptor)
                agent.shared.note("refused a client that the kernel doesn't vouch for: \(error)")
                return
            }
            // The same user or root; nobody else gets one byte.
            guard peer.uid == ProcessIdentity.uid || peer.uid == 0 else {
                agent.shared.note(
                    "refused a client of another user: "
                        + ProcessFacts.spelled(pid: peer.pid, uid: peer.uid))
                ForkHook.close(descriptor)
                return
            }
            let connection = Connection(descriptor: descriptor, peer: peer, agent: agent)
            let (isIn, displaced) = state.withLock { state -> (Bool, Connection?) in
                guard !state.isClosed else { return (false, nil) }
                var displaced: Connection?
                if state.connections.count >= limit - 1 {
                    // The newcomer takes the last free place, and another is made free for the next.
                    displaced = state.connections.filter { $0.idleSince != nil }
                        .min { ($0.idleSince ?? .now) < ($1.idleSince ?? .now) }
                    if displaced == nil, state.connections.count >= limit {
                        state.turnedAway += 1
                        return (false, nil)
                    }
                }
                state.connections.append(connection)
                return (true, displaced)
            }
            displaced?.giveWay()
            guard isIn else { return connection.refuse(limit: limit) }
            do throws(SystemError) {
                try NativeThread.start(name: "telltale-conn") { [self] in
                    connection.serve()
                    remove(connection)
                }
            } catch {
                // The worker in reserve is there for a process that can have no further thread; the
                // client waits for it.
                agent.workers.submit { [self] in
                    connection.serve()
                    remove(connection)
                }
            }
        }

        /// Ends all connections.
        func closeAll() {
            let all = state.withLock { state in
                state.isClosed = true
                return state.connections
            }
            for connection in all { connection.hangUp() }
        }

        private func remove(_ connection: Connection) {
            let removed = state.withLock { state in
                let found = state.connections.firstIndex { $0 === connection }
                return found.map { state.connections.remove(at: $0) }
            }
            removed?.close()
        }
    }
#endif
