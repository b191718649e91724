#if TELLTALE_AGENT
import TelltaleSystem

/// Two looks at the process, put together: what is the same in both, and who waits for whom in
/// what is.
struct StuckState: Sendable {
    let before: Picture
    let after: Picture
    let threads: [Int32: ThreadFacts]
    let queues: [UInt: QueueFacts]
    let tasks: [UInt: TaskFacts]
    let actors: [UInt: ActorFacts]
    let operations: [UInt: PlacedOperation]
    let groups: [UInt: GroupFacts]
    let semaphores: [UInt: SemaphoreFacts]
    /// Threads that have not run between the looks, in the same call.
    let stillThreads: Set<Int32>
    /// Queues whose waiting items have not moved, and which the same thread holds.
    let stillQueues: Set<UInt>
    let stillTasks: Set<UInt>
    let stillOperations: Set<UInt>
    /// Host threads by the queue that they are in.
    let holders: [UInt: [Int32]]
    private(set) var graph = WaitGraph()
    private var pools: Set<UInt> = []
    // By the actor's type: what they are told by is the same for all actors of it.
    private var actorRunners: [String: [Int32]] = [:]
    // The first actor of each type, with what its functions' names hold.
    private let actorTypes: [(prefix: String, actor: UInt)]
    /// The pool of Swift concurrency, which is a queue; nil until a task has run.
    let swiftPool: QueueFacts?
    /// Threads that wait for operations to finish.
    private(set) var operationWaiters: Set<Int32> = []

    init(before: Picture, after: Picture) {
        self.before = before
        self.after = after
        threads = Self.table(after.threads, \.id)
        queues = Self.table(after.queues, \.address)
        tasks = Self.table(after.tasks, \.address)
        actors = Self.table(after.actors, \.address)
        operations = Self.table(after.operations, \.address)
        groups = Self.table(after.groups, \.address)
        semaphores = Self.table(after.semaphores, \.address)
        stillThreads = Self.same(before.threads, after.threads, \.id, Self.isStill)
        stillQueues = Self.same(before.queues, after.queues, \.address, Self.isStill)
        stillTasks = Self.same(before.tasks, after.tasks, \.address, Self.isStill)
        stillOperations = Self.same(before.operations, after.operations, \.address) {
            $0.state == $1.state && $0.dependencies == $1.dependencies && $0.queue == $1.queue
        }
        var holders: [UInt: [Int32]] = [:]
        for thread in after.threads where thread.wait != .idle {
            for queue in thread.held { holders[queue, default: []].append(thread.id) }
        }
        self.holders = holders
        swiftPool = after.queues.first { $0.label == "Swift global concurrent queue" }
        var types: Set<String> = []
        actorTypes = after.actors.filter { types.insert($0.typeName).inserted }
            .map { ($0.typeName + ".", $0.address) }
        build()
    }

    /// For how long what is the same at both looks has been so at least.
    var window: Double { (after.time - before.time).seconds }

    private static func table<Value, Key: Hashable>(
        _ values: [Value], _ key: KeyPath<Value, Key>
    ) -> [Key: Value] {
        Dictionary(values.map { ($0[keyPath: key], $0) }) { first, _ in first }
    }

    private static func same<Value, Key: Hashable>(
        _ before: [Value], _ after: [Value], _ key: KeyPath<Value, Key>,
        _ isSame: (Value, Value) -> Bool
    ) -> Set<Key> {
        let earlier = table(before, key)
        return Set(
            after.compactMap { value in
                let name = value[keyPath: key]
                guard let was = earlier[name], isSame(was, value) else { return nil }
                return name
            })
    }

    // MARK: What has not moved

    private static func isStill(_ was: ThreadFacts, _ now: ThreadFacts) -> Bool {
        guard case .waiting(let earlier) = was.state,
            case .waiting(let later) = now.state, earlier.number == later.number,
            earlier.arguments.prefix(4) == later.arguments.prefix(4), was.wait == now.wait
        else { return false }
        if let first = was.switches, let second = now.switches { return first == second }
        return was.processorTime == now.processorTime
    }

    private static func isStill(_ was: QueueFacts, _ now: QueueFacts) -> Bool {
        guard was.owner == now.owner, was.suspendCount == now.suspendCount,
            was.isInBarrier == now.isInBarrier, let waited = was.waiting,
            let waits = now.waiting, waits >= waited
        else { return false }
        return was.items.first?.address == now.items.first?.address
    }

    private static func isStill(_ was: TaskFacts, _ now: TaskFacts) -> Bool {
        was.id == now.id && was.state == now.state && was.waitsFor == now.waitsFor
            && was.frames == now.frames
    }

    // MARK: Who waits for whom

    private mutating func build() {
        for thread in after.threads where stillThreads.contains(thread.id) { add(thread) }
        var targets: Set<UInt> = []
        for thread in after.threads {
            if case .queue(let queue) = thread.wait { targets.insert(queue) }
        }
        for queue in after.queues { add(queue, isWaitedFor: targets.contains(queue.address)) }
        var runners: [UInt: Int32] = [:]
        for thread in after.threads {
            if let task = thread.task, runners[task] == nil { runners[task] = thread.id }
        }
        for task in after.tasks { add(task, runner: runners[task.address]) }
        let earlier = Self.table(before.actors, \.address)
        for actor in after.actors where !actor.jobs.isEmpty {
            add(actor, was: earlier[actor.address])
        }
        for operation in after.operations where stillOperations.contains(operation.address) {
            add(operation)
        }
    }

    private mutating func add(_ thread: ThreadFacts) {
        let node = WaitNode.thread(thread.id)
        if addOperations(to: thread) { return }
        switch thread.wait {
        case .queue(let queue): graph.add(node, waitsFor: .queue(queue))
        case .lock(let address, let owner, _):
            graph.add(node, waitsFor: .lock(address))
            if let owner, owner != thread.id || threads[owner] != nil {
                graph.add(.lock(address), waitsFor: .thread(owner))
            } else {
                graph.add(.lock(address))
            }
        case .semaphore(let address):
            graph.add(node, waitsFor: .semaphore(address))
            graph.add(.semaphore(address))
        case .group(let address):
            graph.add(node, waitsFor: .group(address))
            graph.add(.group(address))
        case .condition(let address):
            graph.add(node, waitsFor: .condition(address))
            graph.add(.condition(address))
        case .thread(let other): graph.add(node, waitsFor: .thread(other))
        case .running, .idle, .event, .time, .unknown: graph.add(node)
        }
    }

    // Foundation waits on a condition there, which says nothing of the operation.
    private mutating func addOperations(to thread: ThreadFacts) -> Bool {
        guard !after.operations.isEmpty else { return false }
        let isWaiting = thread.stack.contains { frame in
            guard let function = frame.function else { return false }
            return function.holds("OperationQueue.waitUntilAllOperationsAreFinished")
                || function.holds("Operation.waitUntilFinished")
        }
        guard isWaiting else { return false }
        let unfinished = after.operations.filter { $0.state != .finished && $0.queue != nil }
        guard !unfinished.isEmpty else { return false }
        operationWaiters.insert(thread.id)
        for operation in unfinished.prefix(100) {
            graph.add(.thread(thread.id), waitsFor: .operation(operation.address))
        }
        return true
    }

    private mutating func add(_ queue: QueueFacts, isWaitedFor: Bool) {
        guard hostItems(queue) > 0 || isWaitedFor else { return }
        // A queue that moves is no part of anything, but one whose list was not read may be.
        guard stillQueues.contains(queue.address) || (queue.waiting == nil && isWaitedFor)
        else { return }
        let node = WaitNode.queue(queue.address)
        graph.add(node)
        if queue.suspendCount > 0 || queue.isInactive { return }
        if isPool(queue) {
            graph.add(node, waitsFor: .pool(queue.address))
            return addPool(queue)
        }
        let blockers = blockers(of: queue)
        for thread in blockers { graph.add(node, waitsFor: .thread(thread)) }
        guard blockers.isEmpty, let target = queue.target.flatMap({ queues[$0] }) else {
            return
        }
        if isPool(target) {
            graph.add(node, waitsFor: .pool(target.address))
            addPool(target)
        } else {
            graph.add(node, waitsFor: .queue(target.address))
        }
    }

    /// Whether any of several threads would do for a queue's next item.
    func isPool(_ queue: QueueFacts) -> Bool {
        if queue.kind == .global { return true }
        return queue.kind == .concurrent && queue.width < 1024 && !queue.isInBarrier
            && !queue.hasPendingBarrier && queue.items.first?.isBarrier != true
    }

    /// The threads that have to leave a queue before its next item can begin.
    func blockers(of queue: QueueFacts) -> [Int32] {
        var found: [Int32] = []
        if let owner = queue.owner, let thread = threads[owner], thread.wait != .idle {
            found.append(owner)
        }
        let isExclusive =
            queue.isInBarrier || queue.hasPendingBarrier
            || queue.items.contains { $0.isBarrier } || queue.kind != .concurrent
        // Without a barrier nobody in a concurrent queue keeps others out: they wait for a thread.
        guard isExclusive else { return queue.isInBarrier ? found : [] }
        for thread in holders[queue.address] ?? [] where !found.contains(thread) {
            found.append(thread)
        }
        return found
    }

    /// The threads of a pool; nil where they are not all blocked by others of this process, so that
    /// one may yet come free.
    func blockedThreads(ofPool queue: QueueFacts) -> [Int32]? {
        let all = poolThreads(queue)
        guard !all.isEmpty,
            all.allSatisfy({ id in
                stillThreads.contains(id) && threads[id]?.wait.needsAnother == true
            })
        else { return nil }
        return all.sorted()
    }

    // Whose frames of Dispatch say nothing of a root queue is known by its name: Dispatch names its
    // threads for the root queue that they belong to, and the kernel keeps the last fifteen bytes.
    private func poolThreads(_ queue: QueueFacts) -> [Int32] {
        guard queue.kind == .global else { return holders[queue.address] ?? [] }
        return after.threads.filter { thread in
            guard !thread.isAgent, !Self.isEventLoop(thread) else { return false }
            let roots = thread.held.filter { queues[$0]?.kind == .global }
            if !roots.isEmpty { return roots.contains(queue.address) }
            return thread.name.utf8.count == 15
                && queue.label.hasSuffix(thread.name)
        }.map(\.id)
    }

    private mutating func addPool(_ queue: QueueFacts) {
        // Each queue that waits for a thread asks for it; its threads are looked through once.
        guard pools.insert(queue.address).inserted else { return }
        let node = WaitNode.pool(queue.address)
        graph.add(node)
        for thread in blockedThreads(ofPool: queue) ?? [] {
            graph.add(node, waitsFor: .thread(thread))
        }
    }

    private mutating func add(_ task: TaskFacts, runner: Int32?) {
        guard stillTasks.contains(task.address) else { return }
        let node = WaitNode.task(task.address)
        switch task.waitsFor {
        case .task(let other): graph.add(node, waitsFor: .task(other))
        case .group:
            for child in task.children { graph.add(node, waitsFor: .task(child)) }
        case .executor(let executor):
            if actors[executor] != nil {
                graph.add(node, waitsFor: .actor(executor))
            } else {
                graph.add(node)
            }
        case .continuation: graph.add(node)
        case .timer, nil:
            if let runner { graph.add(node, waitsFor: .thread(runner)) }
        }
    }

    private mutating func add(_ actor: ActorFacts, was: ActorFacts?) {
        guard let was, was.jobs.first == actor.jobs.first, was.state == actor.state else {
            return
        }
        let node = WaitNode.actor(actor.address)
        graph.add(node)
        switch actor.state {
        case .running:
            for thread in runners(of: actor) { graph.add(node, waitsFor: .thread(thread)) }
        case .custom: break
        case .scheduled, .idle:
            // Its turn is an item of the concurrency pool's queue.
            guard let pool = swiftPool else { return }
            graph.add(node, waitsFor: .pool(pool.address))
            addPool(pool)
        }
    }

    // The threads that run on an actor: those in a task and in a function of the actor's.
    private mutating func runners(of actor: ActorFacts) -> [Int32] {
        if let known = actorRunners[actor.typeName] { return known }
        let prefix = actor.typeName + "."
        let found = after.threads.filter { thread in
            thread.task != nil
                && thread.stack.contains { $0.function?.holds(prefix) == true }
        }.map(\.id)
        actorRunners[actor.typeName] = found
        return found
    }

    /// An actor of a type that one of these functions is of.
    func actor(ofFunctions functions: [String]) -> UInt? {
        actorTypes.first { type in functions.contains { $0.holds(type.prefix) } }?.actor
    }

    private mutating func add(_ operation: PlacedOperation) {
        let node = WaitNode.operation(operation.address)
        graph.add(node)
        for dependency in operation.dependencies {
            guard let other = operations[dependency], other.state != .finished else { continue }
            graph.add(node, waitsFor: .operation(dependency))
        }
        guard operation.state == .executing else { return }
        for thread in runners(of: operation) { graph.add(node, waitsFor: .thread(thread)) }
    }

    /// The threads that execute an operation, as far as their functions say that.
    func runners(of operation: PlacedOperation) -> [Int32] {
        let executing = after.operations.filter { $0.state == .executing }
        let inOperations = after.threads.filter { thread in
            thread.stack.contains { frame in
                frame.function?.hasPrefix("Operation.") == true
                    || frame.function?.hasPrefix("BlockOperation.") == true
            }
        }
        if executing.count == 1, inOperations.count == 1 { return inOperations.map(\.id) }
        let prefix = operation.type + "."
        guard operation.type != "BlockOperation", operation.type != "Operation" else {
            return []
        }
        return inOperations.filter { thread in
            thread.stack.contains { $0.function?.holds(prefix) == true }
        }.map(\.id)
    }
}
#endif
