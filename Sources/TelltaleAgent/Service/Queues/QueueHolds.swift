#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// The queues that clients have suspended, each to be let go on by the same client, or when it goes.
///
/// A `resume` without a `suspend` ends the process (Dispatch traps on it), and what the host has
/// suspended itself it will resume itself. So the agent takes back only what it did.
final class QueueHolds: Sendable {
    private struct Hold {
        let connection: UInt64
        let queue: DispatchQueue
        let label: String
        let peer: Peer
    }

    private static let limit = 64
    private let holds = Locked<[Hold]>([])

    /// Suspends `queue` once; how often this connection holds it now.
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
            // Counted under the lock, so that whoever lets go does it after this.
            queue.suspend()
            holds.append(
                Hold(connection: connection, queue: queue, label: queue.shownLabel, peer: peer))
            return own.filter { QueueIdentity(of: $0.queue) == identity }.count + 1
        }
    }

    /// Lets `queue` go on once.
    ///
    /// - Returns: How often this connection still holds it; nil where it doesn't hold it.
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

    /// Lets go on what a connection that ends still holds.
    func letGo(of connection: UInt64, _ agent: Agent) {
        let own = holds.withLock { holds -> [Hold] in
            let own = holds.filter { $0.connection == connection }
            if !own.isEmpty { holds.removeAll { $0.connection == connection } }
            return own
        }
        end(own, agent)
    }

    /// Lets all go on: the agent stops.
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

    /// Those that are suspended, which are to be found also where nobody observes them any more.
    var queues: [DispatchQueue] { holds.withLock { $0.map(\.queue) } }

    /// Whether a client holds the queue whose C object is at `address`.
    func isHeld(_ address: UInt) -> Bool {
        holds.withLock { $0.contains { QueueKind.inner($0.queue) == address } }
    }

    // Dispatch may need a thread for what waited, and may wait for one; not on this thread, as long
    // as there is another.
    private static func letGo(_ queue: DispatchQueue, _ agent: Agent) {
        if agent.workers.submitter.submit({ queue.resume() }) { return }
        if (try? NativeThread.start(name: "telltale-resume", body: { queue.resume() })) != nil {
            return
        }
        queue.resume()
    }
}
#endif
