#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The queues that clients have suspended. Each is resumed by the same client, or when that client
/// disconnects.
///
/// A `resume` without a `suspend` ends the process (Dispatch traps on it), and queues that the host has
/// suspended are the host's to resume. So the agent undoes only its own suspensions.
final class QueueHolds: Sendable {
    private struct Hold {
        let connection: UInt64
        let queue: DispatchQueue
        let label: String
        let peer: Peer
    }

    private static let limit = 64
    private let holds = Locked<[Hold]>([])

    /// Suspends `queue` once. Returns the number of this connection's suspensions of it.
    @discardableResult
    func suspend(
        _ queue: DispatchQueue, connection: UInt64, by peer: Peer
    ) throws(CommandFailure) -> Int {
        let identity = QueueIdentity(of: queue)
        return try holds.withLock { holds throws(CommandFailure) in
            let own = holds.filter { $0.connection == connection }
            guard own.count < Self.limit else {
                throw CommandFailure(
                    .bound, "this connection holds too many queues already",
                    hint: "`resume` one of them")
            }
            // Suspended under the lock, so that a thread that resumes the queue does so afterwards.
            queue.suspend()
            holds.append(
                Hold(connection: connection, queue: queue, label: queue.shownLabel, peer: peer))
            return own.filter { QueueIdentity(of: $0.queue) == identity }.count + 1
        }
    }

    /// Resumes `queue` once.
    ///
    /// - Returns: The number of suspensions of it that this connection still has; nil if it had none.
    func resume(_ queue: DispatchQueue, connection: UInt64, agent: Agent) -> Int? {
        let identity = QueueIdentity(of: queue)
        let (hold, rest) = holds.withLock { holds -> (Hold?, Int) in
            guard
                let at = holds.lastIndex(where: {
                    $0.connection == connection && QueueIdentity(of: $0.queue) == identity
                })
            else { return (nil, 0) }
            let hold = holds.remove(at: at)
            return (
                hold,
                holds.filter {
                    $0.connection == connection && QueueIdentity(of: $0.queue) == identity
                }.count
            )
        }
        guard let hold else { return nil }
        Self.letGo(hold.queue, agent)
        return rest
    }

    /// Resumes the queues that an ending connection still holds.
    func letGo(of connection: UInt64, _ agent: Agent) {
        let own = holds.withLock { holds -> [Hold] in
            let own = holds.filter { $0.connection == connection }
            if !own.isEmpty { holds.removeAll { $0.connection == connection } }
            return own
        }
        end(own, agent)
    }

    /// Resumes all queues, because the agent stops.
    func letAllGo(_ agent: Agent) {
        let all = holds.withLock { holds -> [Hold] in
            defer { holds = [] }
            return holds
        }
        end(all, agent)
    }

    private func end(_ holds: [Hold], _ agent: Agent) {
        for hold in holds {
            Self.letGo(hold.queue, agent)
            _ = agent.changes.addHold(
                of: hold.label, result: "resumed, since its client has gone", by: hold.peer)
        }
    }

    /// The suspended queues, which must be found even if the host no longer observes them.
    var queues: [DispatchQueue] { holds.withLock { $0.map(\.queue) } }

    /// Returns true if a client has suspended the queue whose C object is at `address`.
    func isHeld(_ address: UInt) -> Bool {
        holds.withLock { $0.contains { QueueKind.inner($0.queue) == address } }
    }

    // Dispatch may need a thread for the waiting items, and may block until it gets one. So `resume` is not
    // called on this thread if another can be had.
    private static func letGo(_ queue: DispatchQueue, _ agent: Agent) {
        if agent.workers.submitter.submit({ queue.resume() }) { return }
        if (try? NativeThread.start(name: "telltale-resume", body: { queue.resume() })) != nil {
            return
        }
        queue.resume()
    }
}
#endif
