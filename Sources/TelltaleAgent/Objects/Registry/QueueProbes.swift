#if TELLTALE_AGENT
import Dispatch
import TelltaleRuntime
import TelltaleSystem

/// The observed queues: those the host asked to observe, and those that own a registered object, for as long
/// as it is registered.
///
/// A queue is observed as long as its probe is retained. This table retains the probes for the host's own
/// requests; a registry entry retains the probe of its owner. A probe that waits in its queue lives until the
/// queue has run it, so no second probe is enqueued behind it.
final class QueueProbes: Sendable {
    private struct Known {
        weak var probe: QueueProbe?
        /// The position in the order in which the queues were first observed.
        let number: Int
    }

    private struct State {
        var known: [QueueIdentity: Known] = [:]
        var number = 0
        /// The number of entries at which those without a probe are removed.
        var purge = 64
        /// The queues that the host observes, with the token that ends the observation: the latest one.
        var observed: [QueueIdentity: (identifier: UInt64, probe: QueueProbe)] = [:]
        /// The queue of each such token.
        var tokens: [UInt64: QueueIdentity] = [:]
    }

    private let state = Locked(State())

    /// Returns the probe of a queue, which is observed as long as the caller retains the probe. Takes 0.1 µs
    /// if the queue is already observed.
    func probe(of queue: DispatchQueue) -> QueueProbe {
        probe(of: queue, QueueIdentity(of: queue))
    }

    /// In a forked child: returns the child's probe for a probe of the parent's. The means to find a queue's
    /// identity are not available there yet.
    func probe(like other: QueueProbe) -> QueueProbe { probe(of: other.queue, other.identity) }

    private func probe(of queue: DispatchQueue, _ identity: QueueIdentity) -> QueueProbe {
        state.withLock { state in
            if let probe = state.known[identity]?.probe { return probe }
            if state.known.count >= state.purge {
                state.known = state.known.filter { $0.value.probe != nil }
                state.purge = max(64, 2 * state.known.count)
            }
            let probe = QueueProbe(queue: queue, identity)
            state.number += 1
            state.known[identity] = Known(probe: probe, number: state.number)
            return probe
        }
    }

    /// Observes a queue until ``remove(_:)``. If the queue is already observed, only the latest token ends
    /// the observation.
    func observe(_ queue: DispatchQueue, identifier: UInt64) {
        keep(probe(of: queue), identifier)
    }

    private func keep(_ probe: QueueProbe, _ identifier: UInt64) {
        state.withLock { state in
            let before = state.observed.updateValue((identifier, probe), forKey: probe.identity)
            if let before { state.tokens[before.identifier] = nil }
            state.tokens[identifier] = probe.identity
        }
    }

    /// Ends the observation started by ``observe(_:identifier:)``.
    ///
    /// - Returns: The probe, to be released outside the lock: it may have the last reference to the queue.
    func remove(_ identifier: UInt64) -> QueueProbe? {
        state.withLock { state in
            let queue = state.tokens.removeValue(forKey: identifier)
            return queue.flatMap { state.observed.removeValue(forKey: $0)?.probe }
        }
    }

    /// All live probes, in the order in which their queues were first observed.
    var all: [QueueProbe] {
        state.withLock { state in
            state.known.values.compactMap { known in known.probe.map { (known.number, $0) } }
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The number of entries in the table, including those whose probe is gone.
    var placeCount: Int { state.withLock { $0.known.count } }

    /// Copies the host's observations from the parent process, with new probes. Returns false if the parent's
    /// lock is held.
    func adopt(_ other: QueueProbes) -> Bool {
        guard let observed = other.state.withLockIfAvailable({ $0.observed }) else { return false }
        for (identifier, probe) in observed.values.sorted(by: { $0.identifier < $1.identifier }) {
            keep(self.probe(like: probe), identifier)
        }
        return true
    }
}
#endif
