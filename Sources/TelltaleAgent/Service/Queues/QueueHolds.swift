#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The queues that clients have suspended. Each is resumed by the same client, or when that client
/// disconnects; or, if it was suspended for a time, by any client or at the end of that time.
///
/// A `resume` without a `suspend` ends the process (Dispatch traps on it), and queues that the host has
/// suspended are the host's to resume. So the agent undoes only its own suspensions.
final class QueueHolds: Sendable {
    private struct Hold {
        let span: Span
        let queue: DispatchQueue
        let label: String
        let peer: Peer
    }

    /// The end of a hold.
    private enum Span: Equatable {
        /// The end of the connection with this identifier.
        case connection(UInt64)
        case until(MonotonicTime)

        /// The moment at which the hold ends; `nil` if it ends with a connection.
        var end: MonotonicTime? { if case .until(let end) = self { end } else { nil } }

        /// True if a client on `connection` may end the hold.
        func isOpen(to connection: UInt64) -> Bool {
            if case .connection(let other) = self { other == connection } else { true }
        }
    }

    private static let limit = 64
    /// The maximum number of holds that end by time, of all clients together.
    private static let timedLimit = 16
    private let holds = Locked<[Hold]>([])
    /// Set, under the lock, once the agent stops: nothing would end a hold made after that.
    private let isClosed = DoneFlag()

    /// Suspends `queue` once. Returns the number of this connection's suspensions of it.
    @discardableResult
    func suspend(
        _ queue: DispatchQueue, connection: UInt64, by peer: Peer
    ) throws(CommandFailure) -> Int {
        let identity = QueueIdentity(of: queue)
        return try holds.withLock { holds throws(CommandFailure) in
            let own = holds.filter { $0.span == .connection(connection) }
            guard own.count < Self.limit else {
                throw CommandFailure(
                    .bound, "this connection holds too many queues already",
                    hint: "`resume` one of them")
            }
            // Suspended under the lock, so that a thread that resumes the queue does so afterwards.
            queue.suspend()
            holds.append(
                Hold(
                    span: .connection(connection), queue: queue, label: queue.shownLabel,
                    peer: peer))
            return own.filter { QueueIdentity(of: $0.queue) == identity }.count + 1
        }
    }

    /// Suspends `queue` until `time` has passed; the agent's thread then resumes it.
    func suspend(
        _ queue: DispatchQueue, for time: Duration, by peer: Peer
    ) throws(CommandFailure) {
        try holds.withLock { holds throws(CommandFailure) in
            guard holds.count(where: { $0.span.end != nil }) < Self.timedLimit else {
                throw CommandFailure(
                    .bound, "\(Self.timedLimit) queues are suspended for a time already",
                    hint: "`resume` one of them")
            }
            guard !isClosed.isSet else {
                throw CommandFailure(.gone, "the agent is being stopped")
            }
            queue.suspend()
            holds.append(
                Hold(
                    span: .until(.now.advanced(by: time)), queue: queue,
                    label: queue.shownLabel, peer: peer))
        }
    }

    /// The moment at which the next hold ends by time; `nil` if none does.
    var nextEnd: MonotonicTime? { holds.withLock { $0.lazy.compactMap(\.span.end).min() } }

    /// Resumes the queues whose time has passed. Called on the agent's thread, so the change is
    /// recorded on another: the audit log may block.
    func letExpiredGo(_ agent: Agent) {
        let now = MonotonicTime.now
        let expired = holds.withLock { holds -> [Hold] in
            let expired = holds.filter { $0.span.end.map { $0 <= now } ?? false }
            if !expired.isEmpty {
                holds.removeAll { $0.span.end.map { $0 <= now } ?? false }
            }
            return expired
        }
        guard !expired.isEmpty else { return }
        for hold in expired { Self.letGo(hold.queue, agent) }
        agent.reports.submit {
            for hold in expired {
                _ = agent.changes.addHold(
                    of: hold.label, result: "resumed, since its time is over", by: hold.peer)
            }
        }
    }

    /// Resumes `queue` once: the connection's own last suspension of it, or one for a time.
    ///
    /// - Returns: The number of suspensions that this connection can still end; nil if there was none.
    func resume(_ queue: DispatchQueue, connection: UInt64, agent: Agent) -> Int? {
        let identity = QueueIdentity(of: queue)
        let (hold, rest) = holds.withLock { holds -> (Hold?, Int) in
            let open = holds.indices.filter {
                holds[$0].span.isOpen(to: connection)
                    && QueueIdentity(of: holds[$0].queue) == identity
            }
            guard let at = open.last(where: { holds[$0].span.end == nil }) ?? open.last else {
                return (nil, 0)
            }
            return (holds.remove(at: at), open.count - 1)
        }
        guard let hold else { return nil }
        Self.letGo(hold.queue, agent)
        return rest
    }

    /// Resumes the queues that an ending connection still holds.
    func letGo(of connection: UInt64, _ agent: Agent) {
        let own = holds.withLock { holds -> [Hold] in
            let own = holds.filter { $0.span == .connection(connection) }
            if !own.isEmpty { holds.removeAll { $0.span == .connection(connection) } }
            return own
        }
        end(own, agent)
    }

    /// Resumes all queues, because the agent stops.
    func letAllGo(_ agent: Agent) {
        let all = holds.withLock { holds -> [Hold] in
            isClosed.set()
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
