#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// The maximum number of threads waiting for one object that are weighed.
    private static let mostWeighed = 200

    /// Finds an object without an owner that could be followed, and that threads wait for
    /// nevertheless: a semaphore, a group, a condition, a lock whose holder isn't known or has
    /// ended.
    mutating func findUnsignalled(_ node: WaitForGraph.Node) {
        let awaited = graph.awaited(by: node)
        // A potential signaller has a finding of its own.
        guard hasNotMoved(node), !awaited.contains(where: { members.contains($0) }) else { return }
        if case .lock = node, !awaited.allSatisfy({ hasEnded($0) }) { return }
        let found = (graph.reversed[node] ?? []).compactMap { node -> Int32? in
            guard case .thread(let id) = node, isHosts(node) else { return nil }
            return id
        }
        let waiters = heaviestFirst(found)
        let isNamed = found.allSatisfy {
            members.contains(.thread($0)) || weighed.contains(.thread($0))
        }
        guard !isNamed else { return }
        let age = waiters.compactMap { self.age(ofThread: $0) }.max() ?? 0
        let behind = graph.waiting(for: node, throughPools: false).subtracting(
            waiters.map { .thread($0) })
        guard isOld(age, thresholds.stuckAfter) else { return }
        let hope = isAbandonedLock(node) ? nil : self.hope(of: node)
        let holdsUp = behind.contains { isHosts($0) }
        let worker = waiters.first { isAtWork($0) }
        let knot = hope == nil ? knot(of: node).filter { !waiters.contains($0.thread) } : []
        guard
            holdsUp || isAbandonedLock(node) || (worker != nil && hope == nil) || !knot.isEmpty
        else {
            if let worker {
                add(StuckAnswer.Remark(process.brief(thread: worker), .holdsNobodyUp, hope: hope))
            }
            return
        }
        let isServer = haveServer(behind.union(waiters.map { .thread($0) }))
        let isStuck = hope == nil || (isServer && age >= thresholds.stuckAfterRequest)
        guard isStuck || age >= thresholds.stuckAfterInput else {
            if let first = waiters.first {
                add(StuckAnswer.Remark(process.brief(thread: first), .busy, hope: hope))
            }
            return
        }
        let threads = waiters + knot.map(\.thread)
        add(
            StuckAnswer.Finding(
                .notSignalled(waiters: waiters.count), isStuck ? .stuck : .waits, seconds: age,
                parties: process.folded(threads) + process.longestQueues(behind), hope: hope),
            [node] + threads.map { .thread($0) } + knot.map(\.waitsFor))
    }

    // A lock whose holder isn't known has one nevertheless.
    private mutating func hope(of node: WaitForGraph.Node) -> StuckAnswer.Hope? {
        if case .lock = node { return .unsearched }
        return prospect(of: node).hope
    }

    private func hasEnded(_ node: WaitForGraph.Node) -> Bool {
        guard case .thread(let id) = node else { return false }
        return process.threads[id] == nil && !process.later.isCut && !process.earlier.isCut
    }

    // Held by a thread that has ended: it can't be released.
    private func isAbandonedLock(_ node: WaitForGraph.Node) -> Bool {
        guard case .lock = node else { return false }
        return graph.awaited(by: node).contains { hasEnded($0) }
    }

    // A semaphore that was signalled, or a group that was left or entered, moves.
    private func hasNotMoved(_ node: WaitForGraph.Node) -> Bool {
        switch node {
        case .group(let address):
            let was = process.earlier.groups.first { $0.address == address }
            guard let was, let now = process.groups[address] else { return true }
            return was.outstanding == now.outstanding && now.outstanding > 0
        case .semaphore(let address):
            let was = process.earlier.semaphores.first { $0.address == address }
            guard let was, let now = process.semaphores[address] else { return true }
            return was.value >= now.value
        default: return true
        }
    }

    private func isAtWork(_ id: Int32) -> Bool {
        guard let thread = process.threads[id] else { return false }
        // Everyone waits for the process to end.
        if thread.isInExit { return true }
        return !thread.isMain && (thread.task != nil || !thread.held.isEmpty)
    }

    // Sorts threads that block more work first; then threads that work for others.
    private func heaviestFirst(_ threads: [Int32]) -> [Int32] {
        let weights = threads.prefix(Self.mostWeighed).map { id in
            (
                id: id,
                weight: graph.waiting(for: .thread(id), throughPools: false).count * 2
                    + (isAtWork(id) ? 1 : 0)
            )
        }.sorted { $0.weight != $1.weight ? $0.weight > $1.weight : $0.id < $1.id }
        return weights.map(\.id) + threads.dropFirst(Self.mostWeighed)
    }
}
#endif
