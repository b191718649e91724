#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

// Retainers whose owner is known only from their own retainers.
extension ObjectHolders {
    /// The maximum number of retainers that are followed.
    private static let mostFollowed = 64
    /// Kinds of retainers that don't own a table: it only passes through them.
    private static let passing: Set<String> = ["stack", "memory", "block"]

    /// Classifies blocks, dictionaries with keys and blocks without references by their own retainers: a
    /// task has blocks for the variables of its functions, the keys of a masked dictionary are secrets, and
    /// the agent has tables of addresses.
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
                // Several words of one task are one retainer.
                guard tasks.insert(task.edge.holder).inserted else { return nil }
                return Find(edge: found.edge, holder: task.holder, isRoot: true)
            }
            // The agent's threads have its tables on their stacks.
            let isOwned = owners.contains { !Self.passing.contains($0.holder.kind) }
            if !isOwned, isAgents(found, edges) { return nil }
            return Self.areKeysShown(owners) ? found : found.hidingKey
        }
    }

    /// Searches for the retainers of some nodes; false if the search was not completed.
    private func search(_ nodes: Set<Int>) -> Bool {
        let unknown = nodes.filter { !graph.isSearched($0) }
        guard !unknown.isEmpty else { return true }
        guard .now < deadline else { return false }
        for node in unknown { graph.want(node) }
        return searchOnce()
    }

    /// Returns whether a retainer without a host owner belongs to the agent: the agent's objects own it, or
    /// it is a table of numbers, such as those of this very command.
    private func isAgents(_ found: Find, _ edges: [HolderGraph.Edge]) -> Bool {
        found.holder.isUncertain == true || edges.contains { namer.isAgents(graph.word($0.holder)) }
    }

    /// Returns whether all owners of a dictionary are properties or variables whose names don't make it a
    /// secret. A thread's stack is neither.
    private static func areKeysShown(_ owners: [Find]) -> Bool {
        let places = owners.filter { $0.holder.kind != "stack" }.map(\.named.isMasked)
        return !places.isEmpty && places.allSatisfy { $0 == false }
    }
}

extension ObjectHolders.Find {
    /// True if its owners decide how it is shown.
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
