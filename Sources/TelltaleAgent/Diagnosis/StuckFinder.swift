#if TELLTALE_AGENT
import TelltaleProtocol

/// Finds what does not move, and what it waits for in the end, in two looks at the process. Pure.
///
/// What counts as stuck: a cycle, always. Otherwise something that has not moved between the looks
/// and holds others up, for as long as ``StuckPatience`` says, and that waits neither for time nor
/// for input or output, nor uses a core. Somebody who waits alone, and holds nobody up, is called
/// stuck only where nothing in the process could wake him: a consumer without work looks the same.
struct StuckFinder: Sendable {
    let state: StuckState
    let words: StuckWords
    let patience: StuckPatience
    /// What may yet wake somebody who waits alone.
    let hope: String?
    private(set) var findings: [StuckAnswer.Finding] = []
    /// What looks like it and isn't.
    var notIt: [String] = []
    /// What stands in a finding, and what waits because of one.
    private(set) var parties: Set<WaitNode> = []
    private(set) var victims: Set<WaitNode> = []

    /// How many suspended tasks have been weighed; more than ``mostTasks`` are not.
    var weighedTasks = 0
    static let mostTasks = 1000

    /// At most so many findings are shown; more of them are the same trouble as a rule.
    static let limit = 8

    init(before: Picture, after: Picture, patience: StuckPatience = StuckPatience()) {
        self.init(state: StuckState(before: before, after: after), patience: patience)
    }

    /// What one look says of a process in which nobody waits in a way that time could turn into a
    /// finding.
    ///
    /// A second look could only take away from what the first shows, if all in it that waits is taken
    /// for still.
    ///
    /// - Returns: Nil where a second look is needed.
    init?(unsuspicious look: Picture, patience: StuckPatience = StuckPatience()) {
        guard !look.isCut else { return nil }
        let state = StuckState(before: look, after: look)
        let eager = StuckPatience(wait: 0, slow: 0, countsHope: patience.countsHope)
        guard StuckFinder(state: state, patience: eager).findings.isEmpty else { return nil }
        self.init(state: state, patience: patience)
    }

    private init(state: StuckState, patience: StuckPatience) {
        self.state = state
        words = StuckWords(state: state)
        self.patience = patience
        hope = patience.countsHope ? state.hope : nil
        findCycles()
        findPools()
        findRest()
    }

    private mutating func findRest() {
        for node in state.graph.edges.keys.sorted(by: WaitNode.isBefore) {
            guard !parties.contains(node), !victims.contains(node) else { continue }
            switch node {
            case .queue(let address): findSuspended(address)
            case .semaphore, .group, .condition, .lock: findUnowned(node)
            case .thread(let id): findSlow(id)
            case .task(let address): findSuspendedTask(address)
            case .operation(let address): findOperation(address)
            case .pool, .actor: break
            }
        }
    }

    /// Whether more would be found if what doesn't move stayed so for longer: another look is then worth
    /// the time.
    var hasYoungSuspects: Bool {
        guard patience.wait > 0 else { return false }
        var eager = patience
        eager.wait = 0
        eager.countsHope = false
        let eagers = StuckFinder(state: state, patience: eager)
        return eagers.findings.count > findings.count
    }

    // MARK: What the searches share

    mutating func add(_ finding: StuckAnswer.Finding, _ nodes: [WaitNode]) {
        for node in nodes {
            parties.insert(node)
            victims.formUnion(state.graph.waiting(for: node))
        }
        guard findings.count < Self.limit else { return }
        findings.append(finding)
    }

    /// For how long a node has been as it is at least, in seconds; nil where it can't be told.
    func age(of node: WaitNode) -> Double? {
        guard case .thread(let id) = node else { return nil }
        guard state.stillThreads.contains(id) else { return nil }
        return max(state.window, state.threads[id]?.restingFor ?? 0)
    }

    /// Threads that stand at the same place, once each with their number; the commonest first.
    func folded(_ threads: [Int32], byPlaceAlone: Bool = false) -> [StuckAnswer.Party] {
        var order: [String] = []
        var groups: [String: [Int32]] = [:]
        for id in threads {
            guard let thread = state.threads[id] else { continue }
            let host = StuckWords.hostFrame(thread.stack)
            let place = byPlaceAlone ? 0 : words.workQueue(thread) ?? 0
            let key = "\(host?.function ?? "")|\(host?.line ?? 0)|\(place)"
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(id)
        }
        let sorted = order.sorted { (groups[$0]?.count ?? 0) > (groups[$1]?.count ?? 0) }
        return sorted.prefix(4).compactMap { key in
            guard let ids = groups[key], let first = ids.first else { return nil }
            var party = words.party(thread: first)
            if ids.count > 1 { party.name = "\(ids.count) threads, one is \(first)" }
            if ids.count > 1, byPlaceAlone { party.on = nil }
            return party
        }
    }

    func upstream(of node: WaitNode) -> Set<WaitNode> {
        state.graph.waiting(for: node)
    }

    /// Whether it is the host's: the agent's own threads are nobody's victims.
    func isHosts(_ node: WaitNode) -> Bool {
        switch node {
        case .thread(let id): state.threads[id]?.isAgent == false
        case .queue(let address): state.queues[address].map { state.hostItems($0) > 0 } ?? false
        case .task, .actor, .operation: true
        case .pool, .lock, .semaphore, .group, .condition: false
        }
    }

    func title(of id: Int32, count: Int) -> String {
        guard let thread = state.threads[id] else { return "thread \(id)" }
        let place = words.place(ofThread: id)
        let others = count > 1 ? " (and \(count - 1) more)" : ""
        let subject =
            words.workQueue(thread) != nil
            ? "queue \(place): thread \(id)"
            : thread.task != nil
                ? "\(place): thread \(id)" : place == "main" ? "main thread" : place
        return "\(subject)\(others) \(words.relation(of: thread))"
    }

    /// The queues that wait, with their head items; the longest first.
    func queueParties(_ nodes: Set<WaitNode>) -> [StuckAnswer.Party] {
        let waiting = nodes.compactMap { node -> QueueFacts? in
            guard case .queue(let address) = node, let queue = state.queues[address],
                state.hostItems(queue) > 0
            else { return nil }
            return queue
        }.sorted {
            let (a, b) = (state.hostItems($0), state.hostItems($1))
            return a != b ? a > b : $0.address < $1.address
        }
        return waiting.prefix(3).map { words.party(queue: $0.address) }
    }

    static func spot(_ frame: ResolvedFrame) -> String {
        let name = frame.shortFunction ?? frame.function ?? StuckWords.hex(frame.address)
        guard let file = frame.file, let line = frame.line else { return name }
        return "\(name) \(file.split(separator: "/").last.map(String.init) ?? file):\(line)"
    }
}
#endif
