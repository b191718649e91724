#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentProtocol

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
        private(set) var findings: [StuckAnswer.Finding] = []
        private(set) var notIt: [String] = []
        /// What stands in a finding, and what waits because of one.
        private(set) var parties: Set<WaitNode> = []
        private(set) var victims: Set<WaitNode> = []

        private static let mostTasks = 1000
        private var weighedTasks = 0

        /// At most so many findings are shown; more of them are the same trouble as a rule.
        static let limit = 8

        init(before: StuckLook, after: StuckLook, patience: StuckPatience = StuckPatience()) {
            self.init(state: StuckState(before: before, after: after), patience: patience)
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

        /// What may yet wake somebody who waits alone.
        private let hope: String?

        // MARK: Cycles

        private mutating func findCycles() {
            for cycle in state.graph.cycles(limit: Self.limit) {
                var cycle = cycle
                if let start = start(of: cycle) { cycle = Array(cycle[start...] + cycle[..<start]) }
                var names: [String] = []
                for node in cycle {
                    let name = words.title(node)
                    if names.last != name { names.append(name) }
                }
                if let first = names.first, names.count == 1 || names.last != first {
                    names.append(first)
                }
                let ages = cycle.compactMap { age(of: $0) }
                add(
                    StuckAnswer.Finding(
                        kind: "deadlock", title: names.joined(separator: " -> "),
                        seconds: ages.min() ?? state.window,
                        parties: cycle.compactMap { waiter($0) }), cycle)
            }
        }

        // A thread first, the main thread before others: that is where a person begins to read. Then by
        // the name of what they work for, so that the same deadlock reads the same in every run.
        private func start(of cycle: [WaitNode]) -> Int? {
            let threads = cycle.indices.compactMap { index -> (index: Int, name: String)? in
                guard case .thread(let id) = cycle[index] else { return nil }
                let isMain = state.threads[id]?.sample.isMain == true
                return (index, isMain ? "" : words.place(ofThread: id))
            }
            return threads.min { $0.name < $1.name }?.index
        }

        // Those of a cycle that wait themselves; queues and locks stand in what the others wait for.
        private func waiter(_ node: WaitNode) -> StuckAnswer.Party? {
            switch node {
            case .thread(let id): words.party(thread: id)
            case .task(let address): words.party(task: address)
            case .operation(let address): words.party(operation: address)
            case .actor(let address): words.party(actor: address)
            case .queue, .lock, .semaphore, .group, .condition, .pool: nil
            }
        }

        private mutating func add(_ finding: StuckAnswer.Finding, _ nodes: [WaitNode]) {
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

        // MARK: Pools

        private mutating func findPools() {
            for node in state.graph.edges.keys.sorted(by: WaitNode.isBefore) {
                guard case .pool(let address) = node, let queue = state.queues[address],
                    let threads = state.blockedThreads(ofPool: queue)
                else { continue }
                let nodes = threads.map { WaitNode.thread($0) }
                // One cycle that holds all of them is named already.
                if nodes.allSatisfy({ parties.contains($0) || victims.contains($0) }) { continue }
                let age = nodes.compactMap { self.age(of: $0) }.min() ?? 0
                let waiting = upstream(of: node).filter { isHosts($0) }
                guard age >= patience.wait, state.hostItems(queue) > 0 || !waiting.isEmpty else {
                    continue
                }
                let items = max(state.hostItems(queue), 1)
                let count = threads.count
                add(
                    StuckAnswer.Finding(
                        kind: "pool",
                        title: "\(words.queue(address)): "
                            + (count == 1
                                ? "its only thread is blocked" : "all \(count) threads are blocked")
                            + ", \(items) \(items == 1 ? "item waits" : "items wait")",
                        seconds: age, parties: folded(threads, byPlaceAlone: true),
                        note: "no thread is left for what waits until one of these goes on"),
                    [node] + nodes)
            }
        }

        // Threads that stand at the same place, once each with their number; the commonest first.
        private func folded(
            _ threads: [Int32], byPlaceAlone: Bool = false
        ) -> [StuckAnswer.Party] {
            var order: [String] = []
            var groups: [String: [Int32]] = [:]
            for id in threads {
                guard let thread = state.threads[id] else { continue }
                let host = StuckWords.hostFrame(thread.frames)
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

        // MARK: The rest

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

        private func upstream(of node: WaitNode) -> Set<WaitNode> {
            state.graph.waiting(for: node)
        }

        // The agent's own threads are nobody's victims.
        private func isHosts(_ node: WaitNode) -> Bool {
            switch node {
            case .thread(let id): state.threads[id]?.sample.isAgent == false
            case .queue(let address): state.queues[address].map { state.hostItems($0) > 0 } ?? false
            case .task, .actor, .operation: true
            case .pool, .lock, .semaphore, .group, .condition: false
            }
        }

        private mutating func findSuspended(_ address: UInt) {
            guard let queue = state.queues[address], queue.suspendCount > 0 || queue.isInactive
            else { return }
            guard state.hostItems(queue) > 0, state.window >= patience.wait else { return }
            let items = state.hostItems(queue)
            let held =
                queue.isInactive
                ? "was never activated" : "is suspended\(times(queue.suspendCount))"
            add(
                StuckAnswer.Finding(
                    kind: "suspended",
                    title: "queue \(words.queue(address)) \(held), "
                        + "\(items) \(items == 1 ? "item waits" : "items wait")",
                    seconds: state.window, parties: [words.party(queue: address)],
                    note: suspension(of: queue)), [.queue(address)])
        }

        private func suspension(of queue: QueueFacts) -> String {
            if queue.isInactive { return "nothing runs on it until the host calls activate()" }
            if state.after.heldByClients.contains(queue.address) {
                return "a client's `suspend` holds it, until `resume` in its session or its end"
            }
            return "the host called suspend(); nothing runs on it until the host calls resume()"
                + (queue.suspendCount > 1 ? " as often" : "")
        }

        private func times(_ count: Int) -> String { count > 1 ? " \(count) times" : "" }

        // What has no owner that could be followed: a semaphore, a group, a condition, a lock whose
        // holder isn't known or has ended.
        private mutating func findUnowned(_ node: WaitNode) {
            guard (state.graph.edges[node] ?? []).allSatisfy({ isGone($0) }), hasNotMoved(node)
            else { return }
            let found = (state.graph.reversed[node] ?? []).compactMap { node -> Int32? in
                guard case .thread(let id) = node, state.threads[id]?.sample.isAgent == false else {
                    return nil
                }
                return id
            }
            guard !found.allSatisfy({ parties.contains(.thread($0)) }) else { return }
            let waiters = heaviestFirst(found)
            guard let first = waiters.first else { return }
            let age = waiters.compactMap { self.age(of: .thread($0)) }.max() ?? 0
            let behind = upstream(of: node).subtracting(waiters.map { .thread($0) })
            let holdsUp = behind.contains { isHosts($0) }
            let isCertain =
                holdsUp || isLock(node) || (waiters.contains { isAtWork($0) } && hope == nil)
            guard isCertain, age >= patience.wait else {
                if let worker = waiters.first(where: { isAtWork($0) }), age >= patience.wait {
                    note(alone: worker)
                }
                return
            }
            let (kind, note) = explanation(node)
            add(
                StuckAnswer.Finding(
                    kind: kind, title: title(of: first, count: waiters.count), seconds: age,
                    parties: folded(waiters) + queueParties(behind, besides: waiters), note: note),
                [node] + waiters.map { .thread($0) })
        }

        private func isGone(_ node: WaitNode) -> Bool {
            if case .thread(let id) = node { return state.threads[id] == nil }
            return false
        }

        private func isLock(_ node: WaitNode) -> Bool {
            guard case .lock = node else { return false }
            // Held by a thread that has ended: nobody can give it back.
            return (state.graph.edges[node] ?? []).contains { isGone($0) }
        }

        // A semaphore that was signalled, or a group that somebody left or entered, moves.
        private func hasNotMoved(_ node: WaitNode) -> Bool {
            switch node {
            case .group(let address):
                let was = state.before.groups.first { $0.address == address }
                guard let was, let now = state.groups[address] else { return true }
                return was.outstanding == now.outstanding && now.outstanding > 0
            case .semaphore(let address):
                let was = state.before.semaphores.first { $0.address == address }
                guard let was, let now = state.semaphores[address] else { return true }
                return was.value >= now.value
            default: return true
            }
        }

        private func isAtWork(_ id: Int32) -> Bool {
            guard let thread = state.threads[id], !thread.sample.isMain else { return false }
            return thread.sample.task != nil || !thread.held.isEmpty
        }

        // Who holds up more comes first; then whoever is at work for somebody.
        private func heaviestFirst(_ threads: [Int32]) -> [Int32] {
            let weights = threads.prefix(Self.mostWeighed).map { id in
                (id: id, weight: upstream(of: .thread(id)).count * 2 + (isAtWork(id) ? 1 : 0))
            }.sorted { $0.weight != $1.weight ? $0.weight > $1.weight : $0.id < $1.id }
            return weights.map(\.id) + threads.dropFirst(Self.mostWeighed)
        }

        /// Of more threads than this that wait for the same nobody is weighed.
        private static let mostWeighed = 200

        private func title(of id: Int32, count: Int) -> String {
            guard let thread = state.threads[id] else { return "thread \(id)" }
            let place = words.place(ofThread: id)
            let others = count > 1 ? " (and \(count - 1) more)" : ""
            let subject =
                words.workQueue(thread) != nil
                ? "queue \(place): thread \(id)"
                : thread.sample.task != nil
                    ? "\(place): thread \(id)" : place == "main" ? "main thread" : place
            return "\(subject)\(others) \(words.relation(of: thread))"
        }

        private func explanation(_ node: WaitNode) -> (kind: String, note: String?) {
            switch node {
            case .semaphore:
                return (
                    "semaphore", "a semaphore has no owner: who was to signal it isn't known"
                )
            case .group:
                return (
                    "group",
                    "Dispatch doesn't keep who entered a group: look for a path without leave(), such "
                        + "as a cancelled work item"
                )
            case .condition:
                return ("lock", "a condition has no owner: who was to signal it isn't known")
            case .lock:
                return (
                    "lock",
                    isLock(node) ? "its holder has ended without giving it back" : nil
                )
            default: return ("other", nil)
            }
        }

        // The queues that wait, with their head items; the longest first.
        private func queueParties(
            _ nodes: Set<WaitNode>, besides threads: [Int32]
        ) -> [StuckAnswer.Party] {
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

        private mutating func note(alone id: Int32) {
            guard let thread = state.threads[id], notIt.count < 8 else { return }
            let host = StuckWords.hostFrame(thread.frames)
            notIt.append(
                "thread \(id) on \(words.place(ofThread: id)) \(words.relation(of: thread))"
                    + (host.map { " in \(Self.spot($0))" } ?? "") + "; it holds nobody up"
                    + (hope.map { ", and may be woken by \($0)" } ?? ""))
        }

        static func spot(_ frame: ResolvedFrame) -> String {
            let name = frame.shortFunction ?? frame.function ?? StuckWords.hex(frame.address)
            guard let file = frame.file, let line = frame.line else { return name }
            return "\(name) \(file.split(separator: "/").last.map(String.init) ?? file):\(line)"
        }

        // MARK: Slow and busy

        // A thread that others wait for and that waits for nobody in the process: it computes, or waits
        // for input, output or a time. It goes on by itself, so that only patience tells.
        private mutating func findSlow(_ id: Int32) {
            guard let thread = state.threads[id], (state.graph.edges[.thread(id)] ?? []).isEmpty
            else { return }
            let behind = upstream(of: .thread(id))
            guard behind.contains(where: { isHosts($0) }), !thread.sample.isAgent else { return }
            let isWaiting: Bool
            switch thread.wait {
            case .event, .time: isWaiting = true
            case .unknown: isWaiting = state.stillThreads.contains(id)
            default: isWaiting = false
            }
            let age = self.age(of: .thread(id)) ?? 0
            guard isWaiting, stays(id) else { return noteBusy(id, behind) }
            // A main thread that others hold up serves nobody, and readers that a barrier waits for
            // hold up whoever comes after it.
            let limit = isUrgent(behind) ? patience.wait : patience.slow
            guard max(age, state.window) >= limit else { return noteBusy(id, behind) }
            add(
                StuckAnswer.Finding(
                    kind: "queue", title: title(of: id, count: 1), seconds: max(age, state.window),
                    parties: [words.party(thread: id)] + queueParties(behind, besides: [id]),
                    note: "it goes on by itself when that comes"), [.thread(id)])
        }

        // The same wait, in the same function of the host's, in the same queue: not the next item's.
        private func stays(_ id: Int32) -> Bool {
            guard let now = state.threads[id],
                let was = state.before.threads.first(where: { $0.id == id })
            else { return false }
            return was.held == now.held
                && StuckWords.hostFrame(was.frames)?.function
                    == StuckWords.hostFrame(now.frames)?.function
        }

        private func isUrgent(_ nodes: Set<WaitNode>) -> Bool {
            nodes.contains { node in
                switch node {
                case .thread(let id): return state.threads[id]?.sample.isMain == true
                case .queue(let address):
                    guard let queue = state.queues[address], queue.kind == .concurrent else {
                        return false
                    }
                    return queue.hasPendingBarrier || queue.items.contains { $0.isBarrier }
                default: return false
                }
            }
        }

        private mutating func noteBusy(_ id: Int32, _ behind: Set<WaitNode>) {
            guard notIt.count < 8, let thread = state.threads[id], thread.wait != .idle else {
                return
            }
            let host = StuckWords.hostFrame(thread.frames)
            notIt.append(
                "\(words.place(ofThread: id)) is busy: thread \(id) "
                    + "\(words.relation(of: thread))"
                    + (host.map { " in \(Self.spot($0))" } ?? ""))
        }

        // MARK: Tasks and operations

        // A suspended task that waits for somebody to resume its continuation: a server's task waits so
        // for years. Only where nothing in the process could do it, it is known that nobody will.
        private mutating func findSuspendedTask(_ address: UInt) {
            guard let task = state.tasks[address], task.waitsFor == .continuation,
                state.stillTasks.contains(address), state.window >= patience.wait
            else { return }
            // A server has thousands of them; what a look costs must not grow with each one's names.
            guard hope == nil, findings.count < Self.limit, weighedTasks < Self.mostTasks else {
                return
            }
            weighedTasks += 1
            let party = words.party(task: address)
            let behind = upstream(of: .task(address))
            guard party.on != nil || !behind.isEmpty, party.function != nil else { return }
            let place = party.on.map { "\($0): " } ?? ""
            add(
                StuckAnswer.Finding(
                    kind: party.on == nil ? "task" : "actor",
                    title: "\(place)\(party.name) waits for a continuation that nobody resumes",
                    seconds: state.window,
                    parties: [party] + taskParties(behind),
                    note:
                        "nothing runs, no timeout is set and no answer is awaited that could resume it"
                ),
                [.task(address)])
        }

        private func taskParties(_ nodes: Set<WaitNode>) -> [StuckAnswer.Party] {
            nodes.sorted(by: WaitNode.isBefore).compactMap { node -> StuckAnswer.Party? in
                if case .task(let address) = node { return words.party(task: address) }
                return nil
            }.prefix(3).map { $0 }
        }

        private mutating func findOperation(_ address: UInt) {
            guard let operation = state.operations[address], operation.state != .finished,
                (state.graph.edges[.operation(address)] ?? []).isEmpty,
                state.window >= patience.wait
            else { return }
            let behind = upstream(of: .operation(address)).filter { isHosts($0) }
            guard !behind.isEmpty || operation.isQueueSuspended else { return }
            let isLeft: Bool
            switch operation.state {
            case .executing: isLeft = hope == nil
            case .waiting, .ready, .finished:
                isLeft = operation.queue == nil || operation.isQueueSuspended
            }
            guard isLeft else { return }
            let waiting = behind.sorted(by: WaitNode.isBefore).reversed().compactMap {
                node -> StuckAnswer.Party? in
                switch node {
                case .operation(let other): return words.party(operation: other)
                case .thread(let id): return words.party(thread: id)
                default: return nil
                }
            }
            var title = "\(words.operation(address)) never finishes"
            if let first = waiting.first(where: { $0.kind == "operation" }) {
                title += "; \(first.name) waits for it"
            }
            add(
                StuckAnswer.Finding(
                    kind: "operation", title: title, seconds: state.window,
                    parties: [words.party(operation: address)] + waiting.prefix(3),
                    note: operation.state == .executing
                        ? "it executes, and no thread is in it: its finished state was never set"
                        : nil), [.operation(address)])
        }
    }
#endif
