#if TELLTALE_AGENT
import TelltalePicture

/// The wait-for graph: an edge means that its start can't continue before its end has.
///
/// Every node may wait for several others, and for all of them: a barrier for each reader, a task
/// for each child. The one exception is a pool, any of whose threads would do; it gets edges only
/// if none of them can continue, and is never part of a cycle.
struct WaitForGraph: Sendable {
    /// Something that waits, or that is waited for.
    enum Node: Hashable, Sendable {
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

        /// The number alone: there may be 100,000, and two of different kinds with one are a rarity.
        func hash(into hasher: inout Hasher) {
            switch self {
            case .thread(let id): hasher.combine(UInt(truncatingIfNeeded: id))
            case .queue(let number), .lock(let number), .semaphore(let number),
                .group(let number), .condition(let number), .pool(let number),
                .task(let number), .actor(let number), .operation(let number):
                hasher.combine(number)
            }
        }
    }

    private(set) var edges: [Node: [Node]] = [:]
    private(set) var reversed: [Node: [Node]] = [:]

    private struct Edge: Hashable {
        var from: Node
        var to: Node
    }

    // A task waits for each of its children, and there may be thousands.
    private var known: Set<Edge> = []

    private var sorted: [Node]?

    /// Its nodes in an order of their own, so that the same process gives the same screen.
    var nodes: [Node] { sorted ?? edges.keys.sorted() }

    /// Sorts its nodes once for all queries: 50,000 take some 6 ms.
    mutating func sortNodes() { sorted = nodes }

    /// Makes room for as many nodes at once.
    mutating func reserve(_ count: Int) { edges.reserveCapacity(count) }

    /// Adds that `node` waits for `other`.
    mutating func add(_ node: Node, waitsFor other: Node) {
        guard known.insert(Edge(from: node, to: other)).inserted else { return }
        add(node)
        edges[node, default: []].append(other)
        reversed[other, default: []].append(node)
        add(other)
    }

    /// Adds a node that may wait for nothing.
    mutating func add(_ node: Node) {
        guard edges[node] == nil else { return }
        edges[node] = []
        sorted = nil
    }

    /// Returns the nodes that a node waits for.
    func awaited(by node: Node) -> [Node] { edges[node] ?? [] }

    /// All nodes that can't continue before `node` has, without itself.
    ///
    /// - Parameters:
    ///   - node: What is waited for.
    ///   - throughPools: Also nodes that wait for a thread of a pool whose threads wait for it.
    ///     They are no more than a moment away from another thread, unless that pool is found to be
    ///     exhausted.
    /// - Returns: In no order.
    func waiting(for node: Node, throughPools: Bool = true) -> Set<Node> {
        var found: Set<Node> = []
        var rest = reversed[node] ?? []
        while let node = rest.popLast() {
            if node.isPool, !throughPools { continue }
            guard found.insert(node).inserted else { continue }
            rest += reversed[node] ?? []
        }
        found.remove(node)
        return found
    }
}

extension WaitForGraph.Node: Comparable {
    var isPool: Bool {
        if case .pool = self { true } else { false }
    }

    private var rank: (Int, UInt) {
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

    /// Threads first, by their ids.
    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

extension ThreadWait {
    /// The node that has to continue before its thread can; `nil` if that is nothing of this
    /// process.
    var awaited: WaitForGraph.Node? {
        switch self {
        case .queue(let address): .queue(address)
        case .lock(let address, _, _): .lock(address)
        case .semaphore(let address): .semaphore(address)
        case .group(let address): .group(address)
        // Foundation waits for operations on a condition, which says nothing of them.
        case .condition(let address), .operations(let address): .condition(address)
        case .thread(let other): .thread(other)
        case .running, .idle, .event, .eventLoop, .time, .unknown: nil
        }
    }
}
#endif
