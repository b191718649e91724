#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// Of more threads than this that wait for the same nobody is weighed.
    private static let mostWeighed = 200

    /// What has no owner that could be followed, and that threads wait for nevertheless: a semaphore, a
    /// group, a condition, a lock whose holder isn't known or has ended.
    mutating func findUnsignalled(_ node: WaitForGraph.Node) {
        guard graph.awaited(by: node).allSatisfy({ hasEnded($0) }), hasNotMoved(node) else {
            return
        }
        let found = (graph.reversed[node] ?? []).compactMap { node -> Int32? in
            guard case .thread(let id) = node, isHosts(node) else { return nil }
            return id
        }
        let waiters = heaviestFirst(found)
        guard !found.allSatisfy({ members.contains(.thread($0)) }) else { return }
        let age = waiters.compactMap { self.age(ofThread: $0) }.max() ?? 0
        let behind = graph.waiting(for: node).subtracting(waiters.map { .thread($0) })
        let isCertain =
            behind.contains { isHosts($0) } || isAbandonedLock(node)
            || (waiters.contains { isAtWork($0) } && hope == nil)
        guard age >= thresholds.blocked else { return }
        guard isCertain else {
            if let worker = waiters.first(where: { isAtWork($0) }) {
                add(StuckAnswer.Remark(process.brief(thread: worker), .holdsNobodyUp, hope: hope))
            }
            return
        }
        add(
            StuckAnswer.Finding(
                .notSignalled(waiters: waiters.count), seconds: age,
                parties: process.folded(waiters) + process.longestQueues(behind)),
            [node] + waiters.map { .thread($0) })
    }

    private func hasEnded(_ node: WaitForGraph.Node) -> Bool {
        if case .thread(let id) = node { process.threads[id] == nil } else { false }
    }

    // Held by a thread that has ended: nobody can give it back.
    private func isAbandonedLock(_ node: WaitForGraph.Node) -> Bool {
        guard case .lock = node else { return false }
        return graph.awaited(by: node).contains { hasEnded($0) }
    }

    // A semaphore that was signalled, or a group that somebody left or entered, moves.
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
        guard let thread = process.threads[id], !thread.isMain else { return false }
        return thread.task != nil || !thread.held.isEmpty
    }

    // Who holds up more comes first; then whoever is at work for somebody.
    private func heaviestFirst(_ threads: [Int32]) -> [Int32] {
        let weights = threads.prefix(Self.mostWeighed).map { id in
            (id: id, weight: graph.waiting(for: .thread(id)).count * 2 + (isAtWork(id) ? 1 : 0))
        }.sorted { $0.weight != $1.weight ? $0.weight > $1.weight : $0.id < $1.id }
        return weights.map(\.id) + threads.dropFirst(Self.mostWeighed)
    }
}
#endif
