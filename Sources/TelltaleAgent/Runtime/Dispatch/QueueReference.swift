#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// A queue of the host's, of which a thread of the agent's may be the last to have a reference.
///
/// Dispatch makes a thread for what is to run at a queue's end, and sleeps for as long as the process may have
/// no more of them: so a worker lets it go then.
final class QueueReference: @unchecked Sendable {
    // Handed over whole, since a reference of this object's own would be let go after its `deinit`.
    private let held: Unmanaged<DispatchQueue>

    init(_ queue: DispatchQueue) { held = .passRetained(queue) }

    var queue: DispatchQueue { held.takeUnretainedValue() }

    deinit {
        guard NativeThread.isAgents else { return held.release() }
        RuntimeCaches.current.release(Left(held))
    }

    private final class Left: Releasable, @unchecked Sendable {
        private let held: Unmanaged<DispatchQueue>

        init(_ held: Unmanaged<DispatchQueue>) { self.held = held }

        // Called once.
        func letGo() { held.release() }
    }
}
#endif
