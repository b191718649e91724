#if TELLTALE_AGENT
import TelltalePicture

extension Diagnosis {
    /// Threads each of which waits for an object that only others of them can reach: a program's
    /// own pool whose workers all wait for jobs that one of them would have to do.
    ///
    /// A thread that is parked for good waits for an object that no thread has. These have the
    /// object that the next one waits for, and would signal it if they could continue.
    ///
    /// - Parameter node: A wait that nothing else can end.
    /// - Returns: All nodes that lead back to that wait, including its waiters; empty if none does.
    mutating func knot(of node: WaitForGraph.Node) -> [(thread: Int32, waitsFor: WaitForGraph.Node)]
    {
        var found: [(thread: Int32, waitsFor: WaitForGraph.Node)] = []
        var known: Set<Int32> = []
        var leads: [WaitForGraph.Node: [WaitForGraph.Node]] = [:]
        var seen: Set<WaitForGraph.Node> = [node]
        var rest = [node]
        while let wait = rest.popLast() {
            for next in waitsOfHolders(of: wait) {
                leads[next.waitsFor, default: []].append(wait)
                if known.insert(next.thread).inserted { found.append(next) }
                if seen.insert(next.waitsFor).inserted { rest.append(next.waitsFor) }
            }
        }
        // Nodes reached from the wait are part of the knot if they also lead back.
        var back: Set<WaitForGraph.Node> = []
        rest = leads[node] ?? []
        while let wait = rest.popLast() {
            if back.insert(wait).inserted { rest += leads[wait] ?? [] }
        }
        guard back.contains(node) else { return [] }
        return found.filter { back.contains($0.waitsFor) }.sorted { $0.thread < $1.thread }
    }

    /// Returns the threads that retain the object waited for, if nothing else can end the wait, and
    /// each one's own wait.
    private mutating func waitsOfHolders(
        of node: WaitForGraph.Node
    ) -> [(thread: Int32, waitsFor: WaitForGraph.Node)] {
        guard let target = node.target, let holders = process.later.holders[target],
            prospect(of: node) == .nothing
        else { return [] }
        return holders.roots.compactMap { root in
            guard case .thread(let id) = root, isHosts(.thread(id)),
                process.unmovedThreads.contains(id),
                let awaited = process.threads[id]?.wait.awaited, awaited.target != nil
            else { return nil }
            return (id, awaited)
        }
    }

    /// Returns whether threads might wait for objects that only each other can reach: the potential
    /// wakers then have to be searched for. On a busy machine the kernel's clock of a core isn't
    /// always available in time: a wait without a known start may be old.
    mutating func mayHaveKnots() -> Bool {
        var waits: Set<WaitForGraph.Node> = []
        for thread in process.later.threads where !thread.isAgent && thread.hostFrame != nil {
            guard let awaited = thread.wait.awaited, awaited.target != nil,
                thread.offCPUFor == nil
                    || age(ofThread: thread.id) ?? 0 >= thresholds.stuckAfter,
                !isKnown(awaited)
            else { continue }
            waits.insert(awaited)
        }
        return waits.count > 1
    }

    /// Returns whether an earlier search has found a potential waker, or that nothing leads to it:
    /// it is part of no knot then.
    private mutating func isKnown(_ node: WaitForGraph.Node) -> Bool {
        guard let target = node.target, let holders = process.later.holders[target] else {
            return false
        }
        if holders.isLost { return true }
        return if case .hope = prospect(of: node) { true } else { false }
    }
}
#endif
