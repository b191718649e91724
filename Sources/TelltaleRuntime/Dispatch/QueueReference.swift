#if TELLTALE_AGENT
package import Dispatch
import TelltaleSystem

/// A reference to a queue of the host. A thread of the agent may be the one that releases the last
/// reference.
///
/// If a queue is destroyed, Dispatch creates a thread for its final work. It sleeps for as long as the
/// process can't have another thread. So if an agent's thread destroys this object, a worker releases the
/// queue.
package final class QueueReference: @unchecked Sendable {
    // Unmanaged, so that the reference can be handed over: a managed one would be released after this
    // object's `deinit`.
    private let held: Unmanaged<DispatchQueue>

    package init(_ queue: DispatchQueue) { held = .passRetained(queue) }

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
