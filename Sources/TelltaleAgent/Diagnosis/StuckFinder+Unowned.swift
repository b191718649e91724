#if TELLTALE_AGENT
import TelltaleProtocol

/// What has no owner that could be followed, and that threads wait for nevertheless.
extension StuckFinder {
    // What has no owner that could be followed: a semaphore, a group, a condition, a lock whose
    // holder isn't known or has ended.
    mutating func findUnowned(_ node: WaitNode) {
        guard (state.graph.edges[node] ?? []).allSatisfy({ isGone($0) }), hasNotMoved(node)
        else { return }
        let found = (state.graph.reversed[node] ?? []).compactMap { node -> Int32? in
            guard case .thread(let id) = node, state.threads[id]?.isAgent == false else {
                return nil
            }
            return id
        }
        guard !found.allSatisfy({ parties.contains(.thread($0)) }) else { return }
        let waiters = heaviestFirst(found)
        guard let first = waiters.first else { return }
        let age = waiters.compactMap { self.age(of: .thread($0)) }.max() ?? 0
        let behind = upstream(of: node).subtracting(waiters.map { .thread($0) })
        let holdsUp = behind.contains { isHosts($0) }
        let isCertain =
            holdsUp || isLock(node) || (waiters.contains { isAtWork($0) } && hope == nil)
        guard isCertain, age >= patience.wait else {
            if let worker = waiters.first(where: { isAtWork($0) }), age >= patience.wait {
                note(alone: worker)
            }
            return
        }
        let (kind, note) = explanation(node)
        add(
            StuckAnswer.Finding(
                kind: kind, title: title(of: first, count: waiters.count), seconds: age,
                parties: folded(waiters) + queueParties(behind), note: note),
            [node] + waiters.map { .thread($0) })
    }

    private func isGone(_ node: WaitNode) -> Bool {
        if case .thread(let id) = node { return state.threads[id] == nil }
        return false
    }

    private func isLock(_ node: WaitNode) -> Bool {
        guard case .lock = node else { return false }
        // Held by a thread that has ended: nobody can give it back.
        return (state.graph.edges[node] ?? []).contains { isGone($0) }
    }

    // A semaphore that was signalled, or a group that somebody left or entered, moves.
    private func hasNotMoved(_ node: WaitNode) -> Bool {
        switch node {
        case .group(let address):
            let was = state.before.groups.first { $0.address == address }
            guard let was, let now = state.groups[address] else { return true }
            return was.outstanding == now.outstanding && now.outstanding > 0
        case .semaphore(let address):
            let was = state.before.semaphores.first { $0.address == address }
            guard let was, let now = state.semaphores[address] else { return true }
            return was.value >= now.value
        default: return true
        }
    }

    private func isAtWork(_ id: Int32) -> Bool {
        guard let thread = state.threads[id], !thread.isMain else { return false }
        return thread.task != nil || !thread.held.isEmpty
    }

    // Who holds up more comes first; then whoever is at work for somebody.
    private func heaviestFirst(_ threads: [Int32]) -> [Int32] {
        let weights = threads.prefix(Self.mostWeighed).map { id in
            (id: id, weight: upstream(of: .thread(id)).count * 2 + (isAtWork(id) ? 1 : 0))
        }.sorted { $0.weight != $1.weight ? $0.weight > $1.weight : $0.id < $1.id }
        return weights.map(\.id) + threads.dropFirst(Self.mostWeighed)
    }

    /// Of more threads than this that wait for the same nobody is weighed.
    private static let mostWeighed = 200

    private func explanation(_ node: WaitNode) -> (kind: String, note: String?) {
        switch node {
        case .semaphore:
            return ("semaphore", "a semaphore has no owner: who was to signal it isn't known")
        case .group:
            return (
                "group",
                "Dispatch doesn't keep who entered a group: look for a path without leave(), such "
                    + "as a cancelled work item"
            )
        case .condition:
            return ("lock", "a condition has no owner: who was to signal it isn't known")
        case .lock:
            return ("lock", isLock(node) ? "its holder has ended without giving it back" : nil)
        default: return ("other", nil)
        }
    }

    private mutating func note(alone id: Int32) {
        guard let thread = state.threads[id], notIt.count < 8 else { return }
        let host = StuckWords.hostFrame(thread.stack)
        notIt.append(
            "thread \(id) on \(words.place(ofThread: id)) \(words.relation(of: thread))"
                + (host.map { " in \(Self.spot($0))" } ?? "") + "; it holds nobody up"
                + (hope.map { ", and may be woken by \($0)" } ?? ""))
    }
}
#endif
