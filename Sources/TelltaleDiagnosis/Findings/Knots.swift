#if TELLTALE_AGENT
import TelltalePicture

extension Diagnosis {
    /// Threads of which each waits for what only others of them can reach: a pool of a program's own whose
    /// workers all wait for jobs that one of them would have to do.
    ///
    /// A thread that is parked for good waits for what nobody has at all. These have what the next one
    /// waits for, and would give it if they could go on.
    ///
    /// - Parameter node: What a thread waits for, and nobody can end.
    /// - Returns: All that lead back to that wait, those that wait for it among them; empty where none
    ///   does.
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
        // What leads on from the wait is a part of it where it also leads back.
        var back: Set<WaitForGraph.Node> = []
        rest = leads[node] ?? []
        while let wait = rest.popLast() {
            if back.insert(wait).inserted { rest += leads[wait] ?? [] }
        }
        guard back.contains(node) else { return [] }
        return found.filter { back.contains($0.waitsFor) }.sorted { $0.thread < $1.thread }
    }

    /// The threads that have what is waited for, where nobody else can end it, and what each of them
    /// waits for itself.
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

    /// Whether threads might wait for what only each other can reach: who could end these waits is then
    /// to be searched for. On a busy machine the kernel's clock of a core isn't always had in time: one
    /// whose wait has no date may be old.
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

    /// Whether an earlier search has found somebody who will end a wait, or that nothing leads to it: it is
    /// part of no knot then.
    private mutating func isKnown(_ node: WaitForGraph.Node) -> Bool {
        guard let target = node.target, let holders = process.later.holders[target] else {
            return false
        }
        if holders.isLost { return true }
        return if case .hope = prospect(of: node) { true } else { false }
    }
}
#endif
