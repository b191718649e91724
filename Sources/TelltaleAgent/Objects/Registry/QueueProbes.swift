#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// The queues that are observed: those of which the host says so, and those that own what is registered, as
/// long as that is.
///
/// A queue is observed as long as somebody has its probe: the host's own word is kept here, and what is
/// registered has the probe of its owner. A probe that waits in its queue is there until the queue has run
/// it, so that no second one comes to lie behind it.
final class QueueProbes: Sendable {
    private struct Known {
        weak var probe: QueueProbe?
        /// Counts them in the order in which they came.
        let number: Int
    }

    private struct State {
        var known: [QueueIdentity: Known] = [:]
        var number = 0
        /// At this number those without a probe are let go.
        var purge = 64
        /// Those that the host observes, and by which token it ends that: by the latest.
        var observed: [QueueIdentity: (identifier: UInt64, probe: QueueProbe)] = [:]
        /// Which queue's the latest tokens are.
        var tokens: [UInt64: QueueIdentity] = [:]
    }

    private let state = Locked(State())

    /// The probe of a queue, which is observed as long as the caller has it. Takes 0.1 µs where it is observed
    /// already.
    func probe(of queue: DispatchQueue) -> QueueProbe {
        probe(of: queue, QueueIdentity(of: queue))
    }

    /// In a forked child: the one that stands for one of the parent's. What tells the identity of a queue is not
    /// there yet.
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

    /// Observes a queue until ``remove(_:)``. Where it is observed already, the latest token ends it.
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

    /// Ends what ``observe(_:identifier:)`` began.
    ///
    /// - Returns: What is to be let go outside of the lock: it may have the last reference to the queue.
    func remove(_ identifier: UInt64) -> QueueProbe? {
        state.withLock { state in
            let queue = state.tokens.removeValue(forKey: identifier)
            return queue.flatMap { state.observed.removeValue(forKey: $0)?.probe }
        }
    }

    /// All of them, in the order in which they came.
    var all: [QueueProbe] {
        state.withLock { state in
            state.known.values.compactMap { known in known.probe.map { (known.number, $0) } }
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// How many places its table has, for those as well that are gone.
    var placeCount: Int { state.withLock { $0.known.count } }

    /// Takes over what the host of the parent's observes, with probes of its own; false where its lock is
    /// held.
    func adopt(_ other: QueueProbes) -> Bool {
        guard let observed = other.state.withLockIfAvailable({ $0.observed }) else { return false }
        for (identifier, probe) in observed.values.sorted(by: { $0.identifier < $1.identifier }) {
            keep(self.probe(like: probe), identifier)
        }
        return true
    }
}
#endif
