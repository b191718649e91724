#if TELLTALE_AGENT
/// Something that waits, or that is waited for.
enum WaitNode: Hashable, Sendable {
    case thread(Int32)
    case queue(UInt)
    case lock(UInt)
    case semaphore(UInt)
    case group(UInt)
    case condition(UInt)
    /// The threads of a root queue, or of a queue that runs so many items at once and no more.
    case pool(UInt)
    case task(UInt)
    case actor(UInt)
    case operation(UInt)
}

/// Who waits for whom: an edge says that its start can't move before its end has.
///
/// Every node may wait for several others, and for all of them: a barrier for each reader, a task
/// for each child. The one exception is a pool, any of whose threads would do; it gets edges only
/// where none of them can move, and is never part of a cycle.
struct WaitGraph: Sendable {
    private(set) var edges: [WaitNode: [WaitNode]] = [:]
    private(set) var reversed: [WaitNode: [WaitNode]] = [:]

    private struct Edge: Hashable {
        var from: WaitNode
        var to: WaitNode
    }

    // A task waits for each of its children, and there may be thousands.
    private var known: Set<Edge> = []

    /// Adds that `node` waits for `other`.
    mutating func add(_ node: WaitNode, waitsFor other: WaitNode) {
        guard known.insert(Edge(from: node, to: other)).inserted else { return }
        edges[node, default: []].append(other)
        reversed[other, default: []].append(node)
        add(other)
    }

    /// Adds a node that may wait for nothing.
    mutating func add(_ node: WaitNode) {
        if edges[node] == nil { edges[node] = [] }
    }

    /// All that can't move before `node` has, without itself.
    func waiting(for node: WaitNode) -> Set<WaitNode> {
        var found: Set<WaitNode> = []
        var rest = reversed[node] ?? []
        while let node = rest.popLast() {
            guard found.insert(node).inserted else { continue }
            rest += reversed[node] ?? []
        }
        found.remove(node)
        return found
    }

    /// The cycles, at most `limit`, no two with a node in common; each node waits for the next and
    /// the last for the first.
    func cycles(limit: Int) -> [[WaitNode]] {
        var remaining = core()
        var cycles: [[WaitNode]] = []
        // In an order of its own, so that the same state gives the same screen.
        for node in remaining.sorted(by: WaitNode.isBefore) where cycles.count < limit {
            guard remaining.contains(node), let cycle = shortest(through: node, in: remaining)
            else { continue }
            cycles.append(cycle)
            remaining.subtract(cycle)
        }
        return cycles
    }

    // What is left when all that waits for nothing, or for which nothing waits, is taken away again
    // and again: the cycles and what lies between two of them.
    private func core() -> Set<WaitNode> {
        let nodes = edges.keys.filter { !$0.isPool }
        let kept = Set(nodes)
        let forward = edges.filter { kept.contains($0.key) }
        return trim(trim(kept, forward, reversed), reversed, forward)
    }

    private func trim(
        _ nodes: Set<WaitNode>, _ out: [WaitNode: [WaitNode]], _ into: [WaitNode: [WaitNode]]
    ) -> Set<WaitNode> {
        var kept = nodes
        var degree: [WaitNode: Int] = [:]
        var leaves: [WaitNode] = []
        for node in nodes {
            let count = (out[node] ?? []).filter { nodes.contains($0) }.count
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

    private func shortest(through start: WaitNode, in nodes: Set<WaitNode>) -> [WaitNode]? {
        var before: [WaitNode: WaitNode] = [:]
        var level = [start]
        while !level.isEmpty {
            var next: [WaitNode] = []
            for node in level {
                for other in (edges[node] ?? []).sorted(by: WaitNode.isBefore)
                where nodes.contains(other) {
                    if other == start {
                        var cycle = [node]
                        var last = node
                        while last != start, let previous = before[last] {
                            cycle.append(previous)
                            last = previous
                        }
                        return cycle.reversed()
                    }
                    guard before[other] == nil else { continue }
                    before[other] = node
                    next.append(other)
                }
            }
            level = next
        }
        return nil
    }
}

extension WaitNode {
    var isPool: Bool {
        if case .pool = self { return true }
        return false
    }

    private var order: (Int, UInt) {
        switch self {
        case .thread(let id): (0, UInt(bitPattern: Int(id)))
        case .queue(let address): (1, address)
        case .lock(let address): (2, address)
        case .semaphore(let address): (3, address)
        case .group(let address): (4, address)
        case .condition(let address): (5, address)
        case .pool(let address): (6, address)
        case .task(let address): (7, address)
        case .actor(let address): (8, address)
        case .operation(let address): (9, address)
        }
    }

    /// An order that is the same whenever the state is: threads first, by their ids.
    static func isBefore(_ left: WaitNode, _ right: WaitNode) -> Bool {
        left.order < right.order
    }
}
#endif
