#if TELLTALE_AGENT
extension WaitForGraph {
    /// More nodes than this are not visited for more than a few cycles: in one large knot each search for
    /// another cycle goes through all of it.
    private static let mostVisits = 100_000

    /// The cycles, no two with a node in common; each node waits for the next and the last for the first.
    ///
    /// - Parameters:
    ///   - limit: At most so many.
    ///   - distinct: So many are searched for whatever that takes.
    /// - Returns: In the order of their least nodes.
    func cycles(limit: Int, distinct: Int) -> [[Node]] {
        var remaining = core()
        var cycles: [[Node]] = []
        var visits = 0
        for node in remaining.sorted() {
            guard cycles.count < (visits < Self.mostVisits ? limit : min(limit, distinct)) else {
                break
            }
            guard remaining.contains(node),
                let cycle = shortest(through: node, in: remaining, &visits)
            else { continue }
            cycles.append(cycle)
            remaining.subtract(cycle)
        }
        return cycles
    }

    /// Returns the shortest cycle that has a node; `nil` if there is none.
    func cycle(through node: Node) -> [Node]? {
        var visits = 0
        return shortest(through: node, in: Set(edges.keys), &visits)
    }

    // Returns the core that remains if all nodes that wait for nothing, or that nothing waits for,
    // are removed repeatedly: the cycles, and the nodes between two of them.
    private func core() -> Set<Node> {
        // A server's thousands of tasks that wait for no party here are in none.
        let nodes = Set(edges.lazy.filter { !$0.value.isEmpty && !$0.key.isPool }.map(\.key))
        return trim(trim(nodes, edges, reversed), reversed, edges)
    }

    private func trim(
        _ nodes: Set<Node>, _ out: [Node: [Node]], _ into: [Node: [Node]]
    ) -> Set<Node> {
        var kept = nodes
        var degree: [Node: Int] = [:]
        var leaves: [Node] = []
        for node in nodes {
            let count = (out[node] ?? []).count { nodes.contains($0) }
            degree[node] = count
            if count == 0 { leaves.append(node) }
        }
        while let leaf = leaves.popLast() {
            kept.remove(leaf)
            for node in into[leaf] ?? [] where kept.contains(node) {
                let count = (degree[node] ?? 0) - 1
                degree[node] = count
                if count == 0 { leaves.append(node) }
            }
        }
        return kept
    }

    // Breadth first: a person reads the shortest way around.
    private func shortest(
        through start: Node, in nodes: Set<Node>, _ visits: inout Int
    ) -> [Node]? {
        var before: [Node: Node] = [:]
        var level = [start]
        while !level.isEmpty {
            var next: [Node] = []
            visits += level.count
            for node in level {
                for other in awaited(by: node).sorted() where nodes.contains(other) {
                    if other == start { return path(to: node, from: start, before) }
                    guard before[other] == nil else { continue }
                    before[other] = node
                    next.append(other)
                }
            }
            level = next
        }
        return nil
    }

    private func path(to end: Node, from start: Node, _ before: [Node: Node]) -> [Node] {
        var path = [end]
        var last = end
        while last != start, let previous = before[last] {
            path.append(previous)
            last = previous
        }
        return path.reversed()
    }
}
#endif
