#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// The retaining paths to the targets, as far as they have been found.
struct HolderWays {
    let graph: HolderGraph
    private let deadline: MonotonicTime
    let picture: Picture
    var judge: HolderJudge
    let tasks: [UInt: TaskFacts]
    /// Threads that continue by themselves, judged by their waits.
    let livingThreads: Set<Int32>
    /// Threads that may be resuming a continuation.
    let resumingThreads: Set<Int32>
    /// The threads that run tasks, by the task.
    let runners: [UInt: Int32]
    private let waiters: [WaitTarget: Set<Int32>]

    private struct Followed {
        let target: WaitTarget
        /// nil if there was no capacity for it.
        let node: Int?
        /// The paths as far as the levels have been searched.
        var walk: HolderWalk
        /// A root that is alive may end the wait: the search for this target is over.
        var isSettled = false
    }

    /// Indexed by node.
    private var judgements: [HolderJudge.Judgement] = []
    /// The references to each node, as indices of edges.
    var incoming: [[Int32]] = []
    private var taken = 0
    /// Indexed by edge, nil until first checked: true if the reference is stale.
    private var leftOver: [Bool?] = []
    /// The number of parts in all paths.
    private var steps = 0
    private var targets: [Followed] = []
    /// The enclosing memory of targets that are not blocks.
    private var places: [WaitTarget: Holders] = [:]

    init(
        graph: HolderGraph, picture: Picture, judge: HolderJudge, until deadline: MonotonicTime
    ) {
        self.graph = graph
        self.deadline = deadline
        self.picture = picture
        self.judge = judge
        tasks = Dictionary(picture.tasks.map { ($0.address, $0) }) { first, _ in first }
        var waiters: [WaitTarget: Set<Int32>] = [:]
        for thread in picture.threads {
            if let target = WaitTarget(of: thread.wait) {
                waiters[target, default: []].insert(thread.id)
            }
        }
        self.waiters = waiters
        livingThreads = Set(
            picture.threads.lazy.filter { !$0.wait.needsAnother && $0.wait != .idle }.map(\.id))
        resumingThreads = Set(picture.threads.lazy.filter(\.isResuming).map(\.id))
        runners = Dictionary(
            picture.threads.compactMap { thread in thread.task.map { ($0, thread.id) } }
        ) { first, _ in first }
    }

    // MARK: Targets

    /// The maximum offset of a pointer into a task. Dispatch objects are pointed to at their start: if one
    /// was made in a larger, reused block, an address in its middle is stale.
    private static let reachOfTask = 32

    mutating func add(_ target: WaitTarget) {
        switch target {
        // A semaphore of the C library is part of another object.
        case .semaphore(let address) where !picture.semaphores.contains { $0.address == address }:
            add(target, around: address)
        case .semaphore(let address), .group(let address):
            follow(target, graph.target(address, reach: 1))
        case .continuation(let task):
            follow(target, graph.target(task, reach: Self.reachOfTask))
        case .condition(let word): add(target, around: word)
        }
        takeNodes()
    }

    private mutating func follow(_ target: WaitTarget, _ node: Int?) {
        targets.append(Followed(target: target, node: node, walk: HolderWalk(to: target)))
        hasWanted = true
    }

    /// Adds a condition, which is part of another object.
    private mutating func add(_ target: WaitTarget, around word: UInt) {
        let (kind, start, size) = graph.locate(word)
        switch kind {
        case .block:
            follow(target, graph.target(start, reach: min(size, 4096)))
        case .thread:
            places[target] = Holders([.thread(Int32(truncatingIfNeeded: start))], isWhole: false)
        case .global: places[target] = Holders([.global(word, name: nil)], isWhole: true)
        case .unknown, .event:
            places[target] = Holders([.object(word, type: nil)], isWhole: false)
        }
    }

    /// True while there are nodes whose retainers have not been searched for.
    private(set) var hasWanted = false

    // MARK: Results of a level

    /// The maximum number of targets that are followed one by one; beyond it all nodes are searched for.
    private static let mostFollowed = 16_384
    /// From this level on a variable or a thread is enough as a root, although it may hold its reference by
    /// chance: the references of timers are nearer.
    private static let levelOfOthers = 7

    /// Takes the results of the last level, and requests the next search: for the retainers of all nodes
    /// that lead to a target without a root that is alive.
    mutating func takeLevel(_ level: Int) {
        let before = judgements.count
        takeNodes()
        for index in taken..<graph.edgeCount {
            let edge = graph.edge(index)
            // An object's reference to itself doesn't retain it.
            if edge.holder != edge.held { incoming[edge.held].append(Int32(index)) }
            leftOver.append(nil)
        }
        taken = graph.edgeCount
        hasWanted = false
        guard targets.count <= Self.mostFollowed else {
            for node in before..<judgements.count where judgements[node] == .part { want(node) }
            return
        }
        for index in targets.indices where !targets[index].isSettled {
            goOn(index)
            let isLate = level >= Self.levelOfOthers
            // Earlier roots have been checked, except for the kinds that count from now on.
            let first = level == Self.levelOfOthers ? 0 : targets[index].walk.askedRoots
            targets[index].isSettled = targets[index].walk.roots[first...].contains {
                lives($0, others: isLate)
            }
            targets[index].walk.askedRoots = targets[index].walk.roots.count
            if !targets[index].isSettled {
                for node in targets[index].walk.ends where !graph.isSearched(node) { want(node) }
            }
        }
    }

    private mutating func want(_ node: Int) {
        graph.want(node)
        hasWanted = true
    }

    private mutating func takeNodes() {
        for node in judgements.count..<graph.count {
            judgements.append(judgement(of: node))
            incoming.append([])
        }
    }

    private mutating func judgement(of node: Int) -> HolderJudge.Judgement {
        let start = graph.start(node)
        return switch graph.kind(node) {
        case .thread: .root(.thread(Int32(truncatingIfNeeded: start)))
        case .global: judge.variable(at: start)
        case .unknown: .root(.object(start, type: nil))
        case .event:
            .root(
                .event(
                    epoll: Int32(truncatingIfNeeded: start >> 32),
                    descriptor: Int32(truncatingIfNeeded: start)))
        case .block: judge.block(at: start, word: graph.word(node), size: graph.size(node))
        }
    }

    // MARK: Result

    mutating func holders() -> [WaitTarget: Holders] {
        var all = places
        for index in targets.indices {
            if targets.count > Self.mostFollowed { goOn(index) }
            all[targets[index].target] = holders(of: targets[index])
        }
        return all
    }

    private func holders(of followed: Followed) -> Holders {
        guard let node = followed.node, graph.isSearched(node) else {
            return Holders([], isWhole: false)
        }
        let continuations = continuations(of: followed.target, at: node)
        let walk = followed.walk
        var holders = Holders(walk.roots, isWhole: walk.isWhole && walk.ends.isEmpty)
        for end in walk.ends.prefix(HolderSearch.mostRoots - holders.roots.count) {
            holders.roots.append(.object(graph.start(end), type: typeName(of: end)))
        }
        if let continuations {
            holders.continuations = continuations
        } else {
            holders.isWhole = false
        }
        holders.nearest = walk.nearest.lazy.compactMap { typeName(of: $0) }
            .first { name in !Self.wrappers.contains { name.hasPrefix($0) } }
        return holders
    }

    /// Classes that only wrap something: the libraries' own, and the storage of containers.
    private static let wrappers = ["_", "Dispatch", "CheckedContinuation"]

    // MARK: Walking

    /// The maximum number of parts that are followed for one target, and for all; each takes some 40 bytes.
    private static let mostSteps = 20_000
    private static let mostStepsOfAll = 500_000

    /// Continues the walk where the earlier levels have ended.
    private mutating func goOn(_ index: Int) {
        guard let node = targets[index].node, graph.isSearched(node) else { return }
        // Swapped out, so that the walk has a unique reference and is not copied.
        var walk = HolderWalk(to: targets[index].target)
        swap(&walk, &targets[index].walk)
        let before = walk.open.count
        if !walk.isBegun {
            walk.isBegun = true
            let target = walk.target
            step(by: incoming[node].filter { leads(graph.edge(Int($0)), to: target) }, &walk)
        }
        let hasRoom = walk.open.count < Self.mostSteps && steps < Self.mostStepsOfAll
        let searched = walk.ends.filter { hasRoom && graph.isSearched($0) }
        if !searched.isEmpty {
            walk.ends.removeAll { graph.isSearched($0) }
            walk.open += searched
        }
        while walk.next < walk.open.count {
            let part = walk.open[walk.next]
            walk.next += 1
            let isFar = walk.next >= Self.mostSteps || steps >= Self.mostStepsOfAll
            guard graph.isSearched(part), !isFar, .now < deadline else {
                walk.ends.append(part)
                continue
            }
            if walk.nearest.count < 8 { walk.nearest.append(part) }
            step(by: incoming[part], &walk)
        }
        steps += walk.open.count - before
        swap(&walk, &targets[index].walk)
    }

    private mutating func step(by edges: [Int32], _ walk: inout HolderWalk) {
        for (number, index) in edges.enumerated() {
            if number & 255 == 255, .now >= deadline {
                walk.isWhole = false
                return
            }
            step(to: graph.edge(Int(index)), Int(index), &walk)
        }
    }

    private mutating func step(to edge: HolderGraph.Edge, _ index: Int, _ walk: inout HolderWalk) {
        let holder = edge.holder
        guard !walk.seen.contains(holder) else { return }
        let isBlock = graph.kind(holder) == .block
        if isBlock, isLeftOver(edge, index) { return }
        if isBlock,
            let queue = judge.queue(at: graph.start(holder), leadingFrom: edge.offset)
        {
            walk.add(itemsOf: queue)
            return
        }
        guard walk.seen.insert(holder).inserted else { return }
        switch judgements[holder] {
        case .nobody: break
        case .part: walk.open.append(holder)
        case .root(.item(let queue)): walk.add(itemsOf: queue)
        case .root(let root):
            if !isOwn(root, of: walk.target) { walk.add(root) }
        }
    }

    // Two thousand paths may contain the same reference, and checking it reads memory.
    private mutating func isLeftOver(_ edge: HolderGraph.Edge, _ index: Int) -> Bool {
        if let known = leftOver[index] { return known }
        let (word, start) = (graph.word(edge.holder), graph.start(edge.holder))
        let isLeftOver = judge.isLeftOver(
            word, at: start, size: graph.size(edge.holder), offset: edge.offset)
        leftOver[index] = isLeftOver
        return isLeftOver
    }

    /// Returns true if a root is the waiter itself, which can't end its own wait.
    private func isOwn(_ root: Holders.Root, of target: WaitTarget) -> Bool {
        switch (root, target) {
        case (.thread(let thread), _): waiters[target]?.contains(thread) == true
        case (.task(let task), .continuation(let own)): task == own
        default: false
        }
    }
}
#endif
