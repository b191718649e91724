#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// The ways that lead to what is waited for, as far as they have been found.
struct HolderWays {
    private let graph: HolderGraph
    private let deadline: MonotonicTime
    private let picture: Picture
    private var judge: HolderJudge
    let tasks: [UInt: TaskFacts]
    let threads: [Int32: ThreadFacts]
    private let waiters: [WaitTarget: Set<Int32>]

    private struct Followed {
        let target: WaitTarget
        /// nil where there was no room for it.
        let node: Int?
        /// Somebody lives who may end it: no more is searched for.
        var isSettled = false
    }

    /// By node.
    private var judgements: [HolderJudge.Judgement] = []
    /// What leads to a node: indices of edges.
    private var incoming: [[Int32]] = []
    private var taken = 0
    private var targets: [Followed] = []
    /// What a target lies in, where that is no block.
    private var places: [WaitTarget: Holders] = [:]

    init(
        graph: HolderGraph, picture: Picture, judge: HolderJudge, until deadline: MonotonicTime
    ) {
        self.graph = graph
        self.deadline = deadline
        self.picture = picture
        self.judge = judge
        tasks = Dictionary(picture.tasks.map { ($0.address, $0) }) { first, _ in first }
        threads = Dictionary(picture.threads.map { ($0.id, $0) }) { first, _ in first }
        var waiters: [WaitTarget: Set<Int32>] = [:]
        for thread in picture.threads {
            if let target = WaitTarget(of: thread.wait) {
                waiters[target, default: []].insert(thread.id)
            }
        }
        self.waiters = waiters
    }

    // MARK: What is searched for

    /// How far into an object a pointer to it may point.
    private static let reach = 32

    mutating func add(_ target: WaitTarget) {
        switch target {
        // One of the C library's is a part of something else.
        case .semaphore(let address) where !picture.semaphores.contains { $0.address == address }:
            add(target, around: address)
        case .semaphore(let address), .group(let address):
            follow(target, graph.target(address, reach: Self.reach))
        case .continuation(let task):
            follow(target, graph.target(task, reach: Self.reach))
        case .condition(let word): add(target, around: word)
        }
        takeNodes()
    }

    private mutating func follow(_ target: WaitTarget, _ node: Int?) {
        targets.append(Followed(target: target, node: node))
        hasWanted = true
    }

    /// A condition is a part of something else.
    private mutating func add(_ target: WaitTarget, around word: UInt) {
        let (kind, start, size) = graph.locate(word)
        switch kind {
        case .block:
            follow(target, graph.target(start, reach: min(size, 4096)))
        case .thread:
            places[target] = Holders([.thread(Int32(truncatingIfNeeded: start))], isWhole: false)
        case .global: places[target] = Holders([.global(word, name: nil)], isWhole: true)
        case .unknown: places[target] = Holders([.object(word, type: nil)], isWhole: false)
        }
    }

    /// Whether there is anything whose holders are still to be searched for.
    private(set) var hasWanted = false

    // MARK: What was found

    /// More targets than these are followed all together, however far each has come.
    private static let mostFollowed = 2000
    /// From this level on a variable or a thread is enough, which may have what it has by chance: what
    /// timers have is nearer.
    private static let levelOfOthers = 7

    /// Takes what the last level has found, and says of what the holders are searched for next: of what
    /// leads to somebody of whom nothing is known yet that lives.
    mutating func takeLevel(_ level: Int) {
        let before = judgements.count
        takeNodes()
        for index in taken..<graph.edgeCount {
            let edge = graph.edge(index)
            incoming[edge.held].append(Int32(index))
        }
        taken = graph.edgeCount
        hasWanted = false
        guard targets.count <= Self.mostFollowed else {
            for node in before..<judgements.count where judgements[node] == .part { want(node) }
            return
        }
        for index in targets.indices {
            guard !targets[index].isSettled, let node = targets[index].node else { continue }
            let walk = walk(to: targets[index].target, from: node)
            targets[index].isSettled = walk.roots.contains {
                lives($0, others: level >= Self.levelOfOthers)
            }
            if !targets[index].isSettled {
                for node in walk.ends where !graph.isSearched(node) { want(node) }
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
        case .block: judge.block(at: start, word: graph.word(node))
        }
    }

    // MARK: What it comes to

    func holders() -> [WaitTarget: Holders] {
        var all = places
        for followed in targets {
            all[followed.target] = holders(of: followed)
        }
        return all
    }

    private func holders(of followed: Followed) -> Holders {
        guard let node = followed.node, graph.isSearched(node) else {
            return Holders([], isWhole: false)
        }
        let walk = walk(to: followed.target, from: node)
        let ends = walk.ends.prefix(HolderSearch.mostRoots).map {
            Holders.Root.object(graph.start($0), type: typeName(of: $0))
        }
        var holders = Holders(
            Array((walk.roots + ends).prefix(HolderSearch.mostRoots)),
            isWhole: walk.isWhole && walk.ends.isEmpty)
        holders.nearest = walk.nearest.lazy.compactMap { typeName(of: $0) }
            .first { name in !Self.wrappers.contains { name.hasPrefix($0) } }
        return holders
    }

    private func walk(to target: WaitTarget, from node: Int) -> Walk {
        var walk = Walk(target: target)
        guard graph.isSearched(node), .now < deadline else {
            walk.ends = [node]
            return walk
        }
        for (number, index) in incoming[node].enumerated() {
            if number & 255 == 255, .now >= deadline {
                walk.ends = [node]
                return walk
            }
            let edge = graph.edge(Int(index))
            if leads(edge, to: target) { step(to: edge, &walk) }
        }
        var next = 0
        while next < walk.open.count {
            let part = walk.open[next]
            next += 1
            guard graph.isSearched(part), next < Self.mostSteps else {
                walk.ends.append(part)
                continue
            }
            if walk.nearest.count < 8 { walk.nearest.append(part) }
            for (number, index) in incoming[part].enumerated() {
                if number & 255 == 255, .now >= deadline {
                    walk.ends.append(part)
                    return walk
                }
                step(to: graph.edge(Int(index)), &walk)
            }
        }
        return walk
    }

    /// What is only around something: the libraries' own, and the storage of containers.
    private static let wrappers = ["_", "Dispatch", "CheckedContinuation"]
    /// How many parts of ways are followed for one target.
    private static let mostSteps = 20_000

    private struct Walk {
        let target: WaitTarget
        var seen: Set<Int> = []
        var open: [Int] = []
        var roots: [Holders.Root] = []
        private var known: Set<Holders.Root> = []
        /// Parts whose own holders have not been searched for.
        var ends: [Int] = []
        /// Some of the parts, the nearest first.
        var nearest: [Int] = []
        var isWhole = true

        init(target: WaitTarget) { self.target = target }

        mutating func add(_ root: Holders.Root) {
            guard known.insert(root).inserted else { return }
            if roots.count < HolderSearch.mostRoots { roots.append(root) } else { isWhole = false }
        }
    }

    private func step(to edge: HolderGraph.Edge, _ walk: inout Walk) {
        let holder = edge.holder
        guard !walk.seen.contains(holder) else { return }
        let isBlock = graph.kind(holder) == .block
        if isBlock,
            judge.isLeftOver(
                graph.word(holder), at: graph.start(holder), offset: edge.offset)
        {
            return
        }
        if isBlock,
            let queue = judge.queue(at: graph.start(holder), leadingFrom: edge.offset)
        {
            walk.add(.item(queue: queue))
            return
        }
        guard walk.seen.insert(holder).inserted else { return }
        switch judgements[holder] {
        case .nobody: break
        case .part: walk.open.append(holder)
        case .root(let root):
            if !isOwn(root, of: walk.target) { walk.add(root) }
        }
    }

    /// Whoever waits for it can't end its wait by what it has itself.
    private func isOwn(_ root: Holders.Root, of target: WaitTarget) -> Bool {
        switch (root, target) {
        case (.thread(let thread), _): waiters[target]?.contains(thread) == true
        case (.task(let task), .continuation(let own)): task == own
        default: false
        }
    }

    /// Whether a word that leads to a task is a way to resume it: of a checked wait only what
    /// the runtime made for that, and not a mere handle.
    private func leads(_ edge: HolderGraph.Edge, to target: WaitTarget) -> Bool {
        guard case .continuation(let task) = target, isChecked(task) else { return true }
        return graph.kind(edge.holder) == .block
            && judge.isContinuation(
                of: task, word: graph.word(edge.holder), at: graph.start(edge.holder))
    }

    private func isChecked(_ task: UInt) -> Bool {
        guard judge.knowsContinuations, let frame = tasks[task]?.frames.first else { return false }
        return picture.names[frame.address]?.contains {
            $0.function?.holds("withChecked") == true
        } ?? false
    }

    private func typeName(of node: Int) -> String? {
        guard graph.kind(node) == .block else { return nil }
        return MetadataCheck.classOfObject(at: graph.start(node), in: .process).map {
            TypeNames.name(of: $0)
        }
    }
}
#endif
