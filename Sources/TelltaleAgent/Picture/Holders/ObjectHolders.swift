#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The referrers of one object: a search of the memory backwards from it, level by level.
///
/// Used by one thread, for one command.
final class ObjectHolders {
    private let agent: Agent
    let deadline: MonotonicTime
    let graph: HolderGraph
    private var judge: HolderJudge
    let namer: HolderNames
    /// The object, and the side table that weak references to it point to.
    private let target: Int
    private let weakTarget: Int?
    private let sideTable: UInt
    private(set) var incoming: [Int: [HolderGraph.Edge]] = [:]
    private var taken = 0
    private(set) var gaps: [String] = []

    /// Starts a search; the picture has queues, tasks and threads.
    ///
    /// - Throws: `.unsupported` if the allocator isn't known, `.bound` if there is no memory.
    init(
        of address: UInt, in picture: Picture, agent: Agent, until deadline: MonotonicTime
    ) throws(CommandFailure) {
        let layout = HeapLayout.known(by: deadline)
        if let reason = layout.reason(.blocks) {
            throw CommandFailure(.unsupported, "who refers to an object is \(reason)")
        }
        guard let images = LoadedImages.read(),
            let stacks = LiveStacks.read(images, until: deadline),
            let graph = HolderGraph(layout, until: deadline),
            let census = HeapCensus(until: deadline),
            let target = graph.target(address, reach: 8)
        else {
            throw CommandFailure(
                .bound, "who refers to it is not available: there is no memory for a search")
        }
        TypeImages.check()
        self.agent = agent
        self.deadline = deadline
        self.graph = graph
        graph.add(images)
        for stack in stacks.stacks { graph.add(stack, isHolder: !stack.isAgent) }
        judge = HolderJudge(
            picture, images, cachedItems: stacks.cachedItems, until: deadline)
        namer = HolderNames(census, picture, agent)
        self.target = target
        sideTable = FoundObject.sideTable(of: address)
        weakTarget = sideTable == 0 ? nil : graph.target(sideTable, reach: 8)
        if stacks.hidden > 0 {
            gaps.append(LiveStacks.gap(hidden: stacks.hidden))
        }
    }

    // MARK: Searching

    /// Searches once for references to the requested nodes; false if the search was not completed.
    func searchOnce() -> Bool {
        let isWhole = graph.searchOnce()
        for index in taken..<graph.edgeCount {
            let edge = graph.edge(index)
            incoming[edge.held, default: []].append(edge)
        }
        taken = graph.edgeCount
        if let gap = graph.gap, !gaps.contains(gap) { gaps.append(gap) }
        return isWhole
    }

    /// A reference that was found, with the name of its holder.
    struct Find {
        var edge: HolderGraph.Edge
        var named: HolderNames.Named
        var holder: HoldersAnswer.Holder {
            get { named.holder }
            set { named.holder = newValue }
        }
        /// A retaining path begins there.
        var isRoot: Bool

        init(edge: HolderGraph.Edge, holder: HoldersAnswer.Holder, isRoot: Bool) {
            self.init(edge: edge, named: HolderNames.Named(holder: holder), isRoot: isRoot)
        }

        init(edge: HolderGraph.Edge, named: HolderNames.Named, isRoot: Bool) {
            (self.edge, self.named, self.isRoot) = (edge, named, isRoot)
        }
    }

    /// Describes a reference; nil if it is the agent's own, or stale.
    func find(_ edge: HolderGraph.Edge) -> Find? {
        let node = edge.holder
        let start = graph.start(node)
        switch graph.kind(node) {
        case .thread:
            return Find(
                edge: edge, holder: namer.stack(Int32(truncatingIfNeeded: start)), isRoot: true)
        case .global:
            if case .nobody = judge.variable(at: start) { return nil }
            guard let named = namer.variable(start, until: deadline) else { return nil }
            return Find(edge: edge, named: named, isRoot: true)
        // This search has no events.
        case .event: return nil
        case .unknown:
            return Find(edge: edge, holder: namer.memory(start), isRoot: true)
        case .block: return block(edge, node, start)
        }
    }

    private func block(_ edge: HolderGraph.Edge, _ node: Int, _ start: UInt) -> Find? {
        let word = graph.word(node)
        if start == sideTable { return nil }
        let size = graph.size(node)
        let judgement = judge.block(at: start, word: word, size: size)
        if judge.isLeftOver(word, at: start, size: size, offset: edge.offset) { return nil }
        if let queue = judge.queue(at: start, leadingFrom: edge.offset) {
            return Find(edge: edge, holder: namer.item(of: queue), isRoot: true)
        }
        switch judgement {
        case .nobody: return nil
        case .root(.item(let queue)):
            return Find(edge: edge, holder: namer.item(of: queue), isRoot: true)
        case .root(.task(let task)):
            return Find(edge: edge, holder: namer.task(task), isRoot: true)
        case .root, .part:
            guard
                var named = namer.object(
                    at: start, word: word, size: size, offset: edge.offset)
            else { return nil }
            var isRoot = false
            if case .root = judgement { isRoot = true }
            if let name = namer.registered[start] {
                // A weak or unowned reference retains nothing.
                if named.holder.isHolder { named.holder.kind = "registered" }
                named.holder.name = "\(name), \(named.holder.name)"
                isRoot = true
            }
            return Find(edge: edge, named: named, isRoot: isRoot)
        }
    }

    // MARK: Answers

    /// The maximum number of referrers that are listed.
    static let most = 200

    /// Returns all referrers, the strong ones first, and the number of omitted ones.
    func direct() -> (holders: [HoldersAnswer.Holder], omitted: Int) {
        _ = searchOnce()
        let edges = incoming[target] ?? []
        let judged = edges.prefix(Self.most * 10)
        let finds = judged.compactMap { find($0) }
        var all = judgedByOwners(finds).map(\.holder)
        for edge in weakTarget.flatMap({ incoming[$0] }) ?? [] {
            guard edge.holder != target, var holder = find(edge)?.holder else { continue }
            holder.kind = "weak"
            holder.isUncertain = nil
            all.append(holder)
        }
        let sorted = all.filter(\.isHolder) + all.filter { !$0.isHolder }
        return (
            Array(sorted.prefix(Self.most)),
            max(0, sorted.count - Self.most) + edges.count - judged.count
        )
    }

    /// The maximum length of a retaining path.
    private static let mostLevels = 24

    private struct Step {
        var find: Find
        /// The node that it leads to is the holder of this step; nil if that is the object.
        var next: Int?
    }

    /// Returns a shortest retaining path to the object, starting at its root; call ``direct()`` first.
    func way() -> [HoldersAnswer.Holder] {
        walk { find, edge in find.isRoot && edge.holder != self.target }
    }

    /// Returns a shortest path from the object back to itself; call ``direct()`` first.
    func cycle() -> [HoldersAnswer.Holder] {
        walk { find, _ in find.edge.holder == self.target }
    }

    /// Follows strong references backwards until `isEnd` accepts one.
    private func walk(
        until isEnd: (Find, HolderGraph.Edge) -> Bool
    ) -> [HoldersAnswer.Holder] {
        var steps: [Step] = []
        // The step by which each node was first reached.
        var reached: [Int: Int] = [:]
        var level = [target]
        for _ in 0..<Self.mostLevels where !level.isEmpty {
            var next: [Int] = []
            for held in level {
                for edge in incoming[held] ?? [] {
                    guard reached[edge.holder] == nil, let find = find(edge),
                        find.holder.isHolder, find.holder.isUncertain != true
                    else { continue }
                    let step = steps.count
                    steps.append(Step(find: find, next: held == target ? nil : reached[held]))
                    if isEnd(find, edge) { return chain(from: step, steps) }
                    guard graph.kind(edge.holder) == .block, edge.holder != target else { continue }
                    reached[edge.holder] = step
                    next.append(edge.holder)
                }
            }
            guard .now < deadline else {
                gaps.append("the search ended at its deadline")
                return []
            }
            for node in next { graph.want(node) }
            level = next
            if !next.isEmpty, !searchOnce() { return [] }
        }
        if !level.isEmpty { gaps.append("no further than \(Self.mostLevels) steps were looked") }
        return []
    }

    private func chain(from first: Int, _ steps: [Step]) -> [HoldersAnswer.Holder] {
        var chain: [Find] = []
        var index: Int? = first
        while let step = index, chain.count <= Self.mostLevels {
            chain.append(steps[step].find)
            index = steps[step].next
        }
        return judgedByOwners(chain).map(\.holder)
    }
}

extension HoldersAnswer.Holder {
    /// True if it keeps the object alive that it refers to.
    fileprivate var isHolder: Bool { kind != "weak" && kind != "unowned" }
}
#endif
