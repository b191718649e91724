#if TELLTALE_AGENT
import TelltalePicture

/// Builds the wait-for graph of the nodes that have not moved between two pictures.
///
/// Moving nodes are part of no wait that matters: they get no edges.
struct GraphBuilder {
    let process: Comparison
    private(set) var graph = WaitForGraph()
    private var drawnPools: Set<UInt> = []

    /// Returns the wait-for graph without potential wakers; it has those suspended tasks that
    /// nothing waits for only if they are at least that old, in seconds.
    static func graph(of process: Comparison, idleTasksFrom age: Double) -> WaitForGraph {
        var builder = GraphBuilder(process: process)
        let areIdleYoung = process.ageOfOldestTask < age
        builder.graph.reserve(
            process.unmovedThreads.count + (areIdleYoung ? 0 : process.unmovedTasks.count))
        builder.drawThreads()
        builder.drawQueues()
        builder.drawTasks(withIdle: !areIdleYoung)
        builder.drawActors()
        builder.drawOperations()
        return builder.graph
    }

    /// The same, with the potential wakers of waits that have no owner.
    static func graph(_ graph: WaitForGraph, withHoldersOf process: Comparison) -> WaitForGraph {
        var builder = GraphBuilder(process: process)
        builder.graph = graph
        builder.drawHolders()
        return builder.graph
    }

    private init(process: Comparison) { self.process = process }

    // MARK: Threads

    private mutating func drawThreads() {
        for thread in process.later.threads where process.unmovedThreads.contains(thread.id) {
            draw(thread)
        }
    }

    private mutating func draw(_ thread: ThreadFacts) {
        let node = WaitForGraph.Node.thread(thread.id)
        graph.add(node)
        if let own = thread.ownOperations, process.unmovedOperations.contains(own.awaited),
            process.unmovedOperations.contains(own.executed)
        {
            graph.add(node, waitsFor: .operation(own.awaited))
            if own.awaited != own.executed {
                graph.add(.operation(own.awaited), waitsFor: .operation(own.executed))
            }
            graph.add(.operation(own.executed), waitsFor: node)
        } else if case .operations = thread.wait, !process.operationsToWaitFor.isEmpty {
            // Not those that it executes itself.
            for operation in process.operationsToWaitFor.prefix(100)
            where operation.state != .executing
                || !process.runners(of: operation).contains(thread.id)
            {
                graph.add(node, waitsFor: .operation(operation.address))
            }
        } else if let awaited = thread.wait.awaited {
            graph.add(node, waitsFor: awaited)
        }
        if case .lock(let address, let holder?, _) = thread.wait {
            graph.add(.lock(address), waitsFor: .thread(holder))
        }
    }

    // MARK: Who alone could end a wait

    /// A semaphore, a group, a condition or a continuation that one thing alone reaches waits for that
    /// one, as a lock does for its holder.
    private mutating func drawHolders() {
        for (target, holders) in process.later.holders where holders.isWhole {
            guard holders.roots.count == 1, let root = holders.roots.first?.node else { continue }
            // A task that has another's continuation does not have to resume it: it is only one of
            // the potential wakers.
            if case (.continuation, .task) = (target, root) { continue }
            let node = target.node
            guard root != node, graph.edges[node] != nil else { continue }
            graph.add(node, waitsFor: root)
        }
    }

    // MARK: Queues and pools

    private mutating func drawQueues() {
        var targets: Set<UInt> = []
        for thread in process.later.threads {
            if case .queue(let queue) = thread.wait { targets.insert(queue) }
        }
        for queue in process.later.queues {
            draw(queue, isWaitedFor: targets.contains(queue.address))
        }
    }

    private mutating func draw(_ queue: QueueFacts, isWaitedFor: Bool) {
        guard process.hostItems(queue) > 0 || isWaitedFor else { return }
        // A moving queue is not part of a wait, but one whose list was not read may be.
        guard
            process.unmovedQueues.contains(queue.address) || (queue.waiting == nil && isWaitedFor)
        else { return }
        let node = WaitForGraph.Node.queue(queue.address)
        graph.add(node)
        if queue.suspendCount > 0 || queue.isInactive { return }
        if queue.isPool { return draw(node, waitsForPool: queue) }
        let blockers = process.blockers(of: queue)
        for thread in blockers { graph.add(node, waitsFor: .thread(thread)) }
        guard blockers.isEmpty, let target = queue.target.flatMap({ process.queues[$0] }) else {
            return
        }
        if target.isPool {
            draw(node, waitsForPool: target)
        } else {
            graph.add(node, waitsFor: .queue(target.address))
        }
    }

    private mutating func draw(_ node: WaitForGraph.Node, waitsForPool pool: QueueFacts) {
        graph.add(node, waitsFor: .pool(pool.address))
        // Each queue that waits for a thread asks for it; its threads are looked through once.
        guard drawnPools.insert(pool.address).inserted else { return }
        for thread in process.blockedThreads(ofPool: pool) ?? [] {
            graph.add(.pool(pool.address), waitsFor: .thread(thread))
        }
    }

    // MARK: Tasks and actors

    private mutating func drawTasks(withIdle: Bool) {
        let tasks = process.later.tasks
        let holders = process.later.holders
        // Reads only the required fields: there may be 50,000, and a copy costs more than the
        // answer.
        for index in tasks.indices {
            let address = tasks[index].address
            if !withIdle, tasks[index].waitsFor == .continuation,
                holders.isEmpty || holders[.continuation(task: address)] == nil
            {
                continue
            }
            guard process.unmovedTasks.contains(address) else { continue }
            draw(tasks[index], runner: process.runners[address])
        }
    }

    private mutating func draw(_ task: TaskFacts, runner: Int32?) {
        let node = WaitForGraph.Node.task(task.address)
        switch task.waitsFor {
        case .task(let other): graph.add(node, waitsFor: .task(other))
        case .group:
            for child in task.children { graph.add(node, waitsFor: .task(child)) }
        case .executor(let executor):
            graph.add(node)
            if process.actors[executor] != nil {
                graph.add(node, waitsFor: .actor(executor))
            } else if process.later.executors[executor] == "MainActor" {
                for thread in process.mainServers
                where process.unmovedThreads.contains(thread)
                    && process.threads[thread]?.wait.needsAnother == true
                {
                    graph.add(node, waitsFor: .thread(thread))
                }
            }
        case .continuation: graph.add(node)
        case .timer, nil:
            if let runner { graph.add(node, waitsFor: .thread(runner)) }
        }
    }

    private mutating func drawActors() {
        let earlier = Dictionary(
            process.earlier.actors.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first }
        )
        for actor in process.later.actors where !actor.jobs.isEmpty {
            guard let was = earlier[actor.address], was.jobs.first == actor.jobs.first,
                was.state == actor.state
            else { continue }
            draw(actor)
        }
    }

    private mutating func draw(_ actor: ActorFacts) {
        let node = WaitForGraph.Node.actor(actor.address)
        graph.add(node)
        switch actor.state {
        case .running:
            for thread in process.runners(of: actor) { graph.add(node, waitsFor: .thread(thread)) }
        case .scheduled, .idle:
            // Its turn is an item of the concurrency pool's queue.
            if let pool = process.swiftPool { draw(node, waitsForPool: pool) }
        case .custom: break
        }
    }

    // MARK: Operations

    private mutating func drawOperations() {
        for operation in process.later.operations
        where process.unmovedOperations.contains(operation.address) {
            let node = WaitForGraph.Node.operation(operation.address)
            graph.add(node)
            for dependency in operation.dependencies
            where process.operations[dependency].map({ $0.state != .finished }) ?? false {
                graph.add(node, waitsFor: .operation(dependency))
            }
            guard operation.state == .executing else { continue }
            for thread in process.runners(of: operation) {
                graph.add(node, waitsFor: .thread(thread))
            }
        }
    }
}

extension WaitTarget {
    fileprivate var node: WaitForGraph.Node {
        switch self {
        case .semaphore(let address): .semaphore(address)
        case .group(let address): .group(address)
        case .condition(let address): .condition(address)
        case .continuation(let task): .task(task)
        }
    }
}

extension Holders.Root {
    /// The node that has to continue before it can do anything; `nil` if unknown.
    fileprivate var node: WaitForGraph.Node? {
        switch self {
        case .thread(let id): .thread(id)
        case .task(let address): .task(address)
        case .item(let queue): .queue(queue)
        case .timer, .source, .global, .object, .event: nil
        }
    }
}
#endif
