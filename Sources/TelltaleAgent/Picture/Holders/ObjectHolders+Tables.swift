#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

// Holders that say only by what has them in turn whose they are.
extension ObjectHolders {
    /// The number of holders that are followed.
    private static let mostFollowed = 64
    /// Kinds of holders that are no owner of a table: it passes through them.
    private static let passing: Set<String> = ["stack", "memory", "block"]

    /// Judges blocks, dictionaries with keys and what holds no references by their own holders: a task has blocks for what
    /// its functions hold, the keys of a masked dictionary are secrets, and the agent has tables of addresses.
    func judgedByOwners(_ finds: [Find]) -> [Find] {
        let nodes = Set(finds.filter(\.isOpen).map(\.edge.holder))
        guard !nodes.isEmpty else { return finds }
        let isSearched = nodes.count <= Self.mostFollowed && search(nodes)
        var tasks: Set<Int> = []
        return finds.compactMap { found in
            guard found.isOpen else { return found }
            guard isSearched else { return found.hidingKey }
            let edges = incoming[found.edge.holder] ?? []
            let owners = edges.compactMap { find($0) }
            if let task = owners.first(where: { $0.holder.kind == "task" }),
                found.holder.kind == "block"
            {
                // Several words of one task are one holder.
                guard tasks.insert(task.edge.holder).inserted else { return nil }
                return Find(edge: found.edge, holder: task.holder, isRoot: true)
            }
            // The agent's threads have its tables on their stacks.
            let isOwned = owners.contains { !Self.passing.contains($0.holder.kind) }
            if !isOwned, isAgents(found, edges) { return nil }
            return Self.areKeysShown(owners) ? found : found.hidingKey
        }
    }

    /// Searches for the holders of some nodes; false where that came to no end.
    private func search(_ nodes: Set<Int>) -> Bool {
        let unknown = nodes.filter { !graph.isSearched($0) }
        guard !unknown.isEmpty else { return true }
        guard .now < deadline else { return false }
        for node in unknown { graph.want(node) }
        return searchOnce()
    }

    /// Returns whether a holder without an owner of the host's is the agent's: it belongs to the agent's objects, or
    /// is a table of numbers, such as those of this very question.
    private func isAgents(_ found: Find, _ edges: [HolderGraph.Edge]) -> Bool {
        found.holder.isUncertain == true || edges.contains { namer.isAgents(graph.word($0.holder)) }
    }

    /// Returns whether all owners of a dictionary are properties or variables whose names make it no secret. A
    /// thread's stack says neither.
    private static func areKeysShown(_ owners: [Find]) -> Bool {
        let places = owners.filter { $0.holder.kind != "stack" }.map(\.named.isMasked)
        return !places.isEmpty && places.allSatisfy { $0 == false }
    }
}

extension ObjectHolders.Find {
    /// Indicates that its owners decide how it is shown.
    fileprivate var isOpen: Bool {
        holder.kind == "block" || holder.isUncertain == true || named.key != nil
    }

    fileprivate var hidingKey: Self {
        guard let key = named.key else { return self }
        var hidden = self
        hidden.holder.place = holder.place.map {
            "[\(MaskPolicy.text)]" + $0.dropFirst(key.count + 2)
        }
        return hidden
    }
}
#endif
