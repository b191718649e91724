#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// A reading on its owner by the thread of the connection itself: without a worker, whose waking and whose
/// answer are two changes of threads, most of a short answer's time (measured: 120 µs, of which 70).
///
/// That thread may wait for the owner for good. Then the connection is given another one, which begins the
/// request anew, with a worker; the first finds that it isn't asked any more when it comes back. So nothing may
/// be read in this way that has an effect, or runs code of the host's.
final class DirectTurn: Sendable {
    private enum State {
        case none
        case waiting(since: MonotonicTime)
        case reading(until: MonotonicTime)
        case takenOver
        /// Nobody would take it over any more.
        case closed

        var isHeld: Bool {
            switch self {
            case .waiting(let since): MonotonicTime.now.since(since) > DirectTurn.patience
            case .reading(let end): MonotonicTime.now > end
            case .none, .takenOver, .closed: false
            }
        }
    }

    /// How long an owner may take before another thread waits for it.
    fileprivate static let patience = Duration.milliseconds(20)
    /// What a reading may take beyond its deadline, as on a worker.
    private static let grace = Duration.milliseconds(250)

    private let state = Locked(State.none)

    /// Whether its thread waits for longer than it should.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    enum Outcome<Result> {
        case done(Result)
        /// Another thread has the request by now.
        case takenOver
    }

    /// Whether another thread has the request by now.
    var isTakenOver: Bool {
        state.withLock { state in
            if case .takenOver = state { return true }
            return false
        }
    }

    /// Runs `body` on a queue, or where nobody guards what it reads, on the calling thread.
    ///
    /// - Returns: Nil where it has to go another way: the bulkhead has had no room for it.
    func run<Result>(
        on queue: DispatchQueue?, in bulkhead: Bulkhead, of workers: WorkerPool,
        until deadline: MonotonicTime, _ body: () -> Result
    ) -> Outcome<Result>? {
        guard begin() else { return nil }
        let latest = min(deadline, MonotonicTime.now.advanced(by: Self.patience))
        guard workers.enter(bulkhead, until: latest) else { return end() ? nil : .takenOver }
        defer { workers.leave(bulkhead) }
        var result: Result?
        func turn() {
            if claim(until: deadline.advanced(by: Self.grace)) { result = body() }
        }
        if let queue { queue.syncForAgent(turn) } else { turn() }
        guard end(), let result else { return .takenOver }
        return .done(result)
    }

    private func begin() -> Bool {
        state.withLock { state in
            guard case .none = state else { return false }
            state = .waiting(since: .now)
            return true
        }
    }

    private func claim(until end: MonotonicTime) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .reading(until: end)
            return true
        }
    }

    private func end() -> Bool {
        state.withLock { state in
            if case .takenOver = state { return false }
            state = .none
            return true
        }
    }

    /// Takes the request from a thread that waits for longer than it should; where the agent `isEnding`, at
    /// all, and none is to wait from then on.
    ///
    /// - Returns: Whether it is now the caller's.
    func takeOver(isEnding: Bool) -> Bool {
        state.withLock { state in
            switch state {
            case .none where isEnding:
                state = .closed
                return false
            case .none, .takenOver, .closed: return false
            case .waiting, .reading:
                guard isEnding || state.isHeld else { return false }
                state = .takenOver
                return true
            }
        }
    }
}
#endif
