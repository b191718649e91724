#if TELLTALE_AGENT
package import TelltalePicture

/// Two pictures of one process, compared, and the wait-for graph between them: the input of a
/// ``Diagnosis``.
///
/// Results of a later search are added without a new comparison, which takes as long as judging the
/// pictures if there are tens of thousands of tasks.
package struct ComparedPictures: Sendable {
    private(set) var process: Comparison
    private(set) var graph: WaitForGraph
    /// The same without potential wakers.
    private let drawn: WaitForGraph

    /// - Parameters:
    ///   - earlier: The process a moment ago.
    ///   - later: The process now.
    ///   - history: What was seen before both.
    package init(
        _ earlier: Picture, _ later: Picture, history: WaitHistory = WaitHistory()
    ) {
        self.init(Comparison.of(earlier, later, history), idleTasksFrom: 0)
    }

    /// One picture alone, in which everything that waits is taken to be unmoved.
    ///
    /// - Parameters:
    ///   - picture: The process.
    ///   - history: The observations before it.
    ///   - idleTasksFrom: The age in seconds from which a suspended task counts that was not
    ///     searched for and that nothing waits for. A server has tens of thousands.
    init(alone picture: Picture, history: WaitHistory, idleTasksFrom: Double) {
        self.init(Comparison.of(picture, history), idleTasksFrom: idleTasksFrom)
    }

    private init(_ compared: Comparison, idleTasksFrom: Double) {
        process = compared
        var drawn = GraphBuilder.graph(of: process, idleTasksFrom: idleTasksFrom)
        drawn.sortNodes()
        self.drawn = drawn
        graph = GraphBuilder.graph(drawn, withHoldersOf: process)
    }

    /// Adds the retainers found for objects waited for.
    ///
    /// - Parameter picture: The later picture, with the results of searches since.
    package mutating func take(holdersOf picture: Picture) {
        process = process.with(holdersOf: picture)
        graph = GraphBuilder.graph(drawn, withHoldersOf: process)
    }

    /// The objects without an owner that are waited for: their potential wakers have to be searched
    /// for.
    package var targets: [WaitTarget] { graph.targets(in: process) }
}

extension WaitForGraph {
    /// See ``ComparedPictures/targets``.
    func targets(in process: Comparison) -> [WaitTarget] {
        nodes.compactMap { node -> WaitTarget? in
            guard let target = node.target else { return nil }
            if case .task(let address) = node {
                return process.tasks[address]?.waitsFor == .continuation ? target : nil
            }
            return reversed[node]?.isEmpty == false ? target : nil
        }
    }

    /// Returns the nodes that wait for something without an owner.
    func waiters(for target: WaitTarget) -> Set<Node> {
        switch target {
        case .semaphore(let address): Set(reversed[.semaphore(address)] ?? [])
        case .group(let address): Set(reversed[.group(address)] ?? [])
        case .condition(let word): Set(reversed[.condition(word)] ?? [])
        case .continuation(let task): [.task(task)]
        }
    }
}

/// Tasks that have not moved between two pictures.
struct UnmovedTasks: Sendable {
    private let known: Set<UInt>
    /// For one picture alone, the set holds the exceptions: a set of 50,000 takes longer than all
    /// queries.
    private let isAllBut: Bool
    let count: Int

    static func these(_ tasks: Set<UInt>) -> UnmovedTasks {
        UnmovedTasks(known: tasks, isAllBut: false, count: tasks.count)
    }

    static func all(but moved: Set<UInt>, of picture: Picture) -> UnmovedTasks {
        UnmovedTasks(known: moved, isAllBut: true, count: picture.tasks.count)
    }

    /// Returns whether a task of the later picture has not moved.
    func contains(_ task: UInt) -> Bool { known.contains(task) != isAllBut }
}
#endif
