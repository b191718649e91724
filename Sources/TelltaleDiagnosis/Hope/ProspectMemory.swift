#if TELLTALE_AGENT
import Synchronization

/// What searches for hope have found out of one comparison, so that what a thousand waits have in common is
/// looked into once, and all of them together come to an end.
final class ProspectMemory: Sendable {
    private struct Known {
        var living: Set<WaitForGraph.Node> = []
        var hopeless: Set<WaitForGraph.Node> = []
        var steps = 0
    }

    /// Beginnings of ways that are looked into for one comparison: 0.1 us each optimised, 1 us else.
    private static let mostSteps = 300_000

    private let known = Mutex(Known())

    /// Counts one step; false where there were too many.
    func step() -> Bool {
        known.withLock { known in
            known.steps += 1
            return known.steps <= Self.mostSteps
        }
    }

    /// Whether something goes on, where that is known.
    func lives(_ node: WaitForGraph.Node) -> Bool? {
        known.withLock { known in
            if known.living.contains(node) { return true }
            return known.hopeless.contains(node) ? false : nil
        }
    }

    /// Remembers what goes on, by whatever way: that way is there for others too.
    func keep(living node: WaitForGraph.Node) { known.withLock { _ = $0.living.insert(node) } }

    /// Remembers all that one search has come to, and found nothing among that goes on.
    func keep(hopeless nodes: Set<WaitForGraph.Node>) {
        known.withLock { $0.hopeless.formUnion(nodes) }
    }
}
#endif
