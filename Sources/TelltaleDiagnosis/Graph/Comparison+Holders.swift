#if TELLTALE_AGENT
import TelltalePicture

/// Finds the parties that have to continue before a queue, an actor or an operation can, and the
/// host's part of them.
extension Comparison {
    // MARK: Queues

    /// The threads that have to leave a queue before its next item can begin.
    func blockers(of queue: QueueFacts) -> [Int32] {
        var found: [Int32] = []
        if let owner = queue.owner, let thread = threads[owner], thread.wait != .idle {
            found.append(owner)
        }
        let isExclusive =
            queue.isInBarrier || queue.hasPendingBarrier
            || queue.items.contains { $0.isBarrier } || queue.kind != .concurrent
        // Without a barrier, threads in a concurrent queue don't exclude others: those wait for a
        // thread.
        guard isExclusive else { return [] }
        return found + (holders[queue.address] ?? []).filter { !found.contains($0) }
    }

    /// The threads that have to continue before a job of the main actor can begin. After
    /// `dispatchMain()` the main thread sleeps for good, and any thread of Dispatch's drains its
    /// queue.
    var mainServers: [Int32] {
        let queue = later.queues.first { $0.kind == .main }
        let inside = queue.map { blockers(of: $0) } ?? []
        guard inside.isEmpty else { return inside }
        return later.threads.filter { $0.isMain && $0.wait != .idle }.map(\.id)
    }

    /// Returns the number of waiting items of the host, without the agent's own.
    func hostItems(_ queue: QueueFacts) -> Int {
        let agents = queue.items.count { isAgents($0) }
        return max(0, (queue.waiting ?? queue.items.count) - agents)
    }

    /// Returns whether the agent has submitted an item.
    func isAgents(_ item: PendingItem) -> Bool {
        if let waiter = item.waiter { return threads[waiter]?.isAgent == true }
        guard let function = item.function else { return false }
        return (later.names[function] ?? []).contains { $0.origin == .agent }
    }

    // MARK: Actors and operations

    /// The threads that run on an actor: as the runtime notes it, else those that are in a task and in
    /// a function of the actor's.
    func runners(of actor: ActorFacts) -> [Int32] {
        var noted = executing[actor.address] ?? []
        if let runner = actor.runs.flatMap({ runners[$0] }), !noted.contains(runner) {
            noted.append(runner)
        }
        if !noted.isEmpty { return noted.sorted() }
        return later.threads.filter { thread in
            thread.task != nil && thread.stack.contains { $0.isMethod(of: actor.typeName) }
        }.map(\.id)
    }

    /// The threads that execute an operation, as far as their functions say that.
    func runners(of operation: PlacedOperation) -> [Int32] {
        if executingOperations == 1, inOperations.count == 1 { return inOperations.map(\.id) }
        guard operation.type != "BlockOperation", operation.type != "Operation" else {
            return []
        }
        return inOperations.filter { thread in
            thread.stack.contains { $0.isMethod(of: operation.type) }
        }.map(\.id)
    }
}

extension QueueFacts {
    /// Indicates that any of several threads would do for its next item.
    var isPool: Bool {
        if kind == .global { return true }
        return kind == .concurrent && width < 1024 && !isInBarrier && !hasPendingBarrier
            && items.first?.isBarrier != true
    }

    /// Indicates that a barrier waits until the running items are done.
    var isHeldByBarrier: Bool {
        kind == .concurrent && (hasPendingBarrier || items.contains { $0.isBarrier })
    }
}
#endif
