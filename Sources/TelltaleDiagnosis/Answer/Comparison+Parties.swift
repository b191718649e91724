#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// The parties of a finding, with their waits and locations.
extension Comparison {
    // MARK: Threads

    /// A thread without its stack, for a remark.
    func brief(thread id: Int32) -> StuckAnswer.Party {
        guard let thread = threads[id] else {
            var party = StuckAnswer.Party(.init(.thread, "thread \(id)"), .ended)
            party.thread = id
            return party
        }
        var party = StuckAnswer.Party(
            .init(.thread, thread.isMain ? "thread \(id) (main)" : title(ofThread: id)),
            on: work(of: thread) ?? thread.held.first.map { subject(queue: $0) }, state(of: thread))
        party.thread = id
        party.threadName = ownName(of: thread)
        party.set(thread.hostFrame)
        return party
    }

    func party(thread id: Int32) -> StuckAnswer.Party {
        var party = brief(thread: id)
        guard let thread = threads[id] else { return party }
        party.frames = thread.stack.hostsPart
        party.gap = thread.gap
        return party
    }

    private func state(of thread: ThreadFacts) -> StuckAnswer.State {
        switch thread.wait {
        case .running: .runs
        case .idle: .idle
        case .event(let call), .eventLoop(let call): .event(call: call)
        case .time: .time
        case .unknown(let call): .call(name: call)
        case .operations where thread.ownOperations != nil:
            .waits(for: subject(.operation(thread.ownOperations?.awaited ?? 0)), nil)
        case .operations where !operationsToWaitFor.isEmpty: .operations
        case .thread(let other): .waits(for: .init(.thread, title(ofThread: other)), nil)
        case let wait: .waits(for: subject(wait.awaited ?? .thread(thread.id)), detail(of: thread))
        }
    }

    private func detail(of thread: ThreadFacts) -> StuckAnswer.Detail? {
        switch thread.wait {
        case .queue(let address):
            let item = queues[address]?.items.first { $0.waiter == thread.id }
            let isBarrier = item?.isBarrier == true && queues[address]?.kind == .concurrent
            return isBarrier ? .barrier : nil
        case .lock(_, let holder?, _):
            let name = threads[holder]?.isMain == true ? "the main thread" : title(ofThread: holder)
            return .held(by: name, hasEnded: threads[holder] == nil)
        case .lock(_, nil, .readLocked): return .heldByReaders
        case .semaphore(let address):
            return semaphores[address].map { .made(with: $0.original, now: $0.value) }
        case .group(let address): return groups[address].map { .entered(times: $0.outstanding) }
        default: return nil
        }
    }

    /// Threads at the same location, once each with their number: the first thread's location
    /// first, then the commonest.
    func folded(_ ids: [Int32], byPlaceAlone: Bool = false) -> [StuckAnswer.Party] {
        struct Place: Hashable {
            var function: String?
            var line: Int?
            var work: StuckAnswer.Subject?
        }
        var order: [Place] = []
        var groups: [Place: [Int32]] = [:]
        for id in ids {
            guard let thread = threads[id] else { continue }
            let frame = thread.hostFrame
            let place = Place(
                function: frame?.function, line: frame?.line,
                work: byPlaceAlone ? nil : work(of: thread))
            if groups[place] == nil { order.append(place) }
            groups[place, default: []].append(id)
        }
        let others = order.dropFirst().sorted {
            (groups[$0]?.count ?? 0) > (groups[$1]?.count ?? 0)
        }
        return (order.prefix(1) + others).prefix(4).compactMap { place in
            guard let ids = groups[place], let first = ids.first else { return nil }
            var party = self.party(thread: first)
            if ids.count > 1 { party.count = ids.count }
            if ids.count > 1, byPlaceAlone { party.on = nil }
            return party
        }
    }

    // MARK: Queues and actors

    func party(queue address: UInt) -> StuckAnswer.Party {
        guard let queue = queues[address] else {
            return StuckAnswer.Party(subject(queue: address))
        }
        let hold: StuckAnswer.Hold? =
            queue.isInactive
            ? .inactive
            : queue.suspendCount > 0
                ? .suspended(times: queue.suspendCount) : queue.isHeldByBarrier ? .barrier : nil
        var party = StuckAnswer.Party(
            subject(queue: address), .items(count: hostItems(queue), hold: hold))
        let head = queue.items.first { !isAgents($0) }
        party.set(
            head?.function.flatMap { (later.names[$0] ?? []).hostFrame }
                ?? head?.waiter.flatMap { threads[$0]?.hostFrame })
        party.thread = queue.owner
        return party
    }

    /// The queues of some nodes with items of the host's, those with the most first.
    func longestQueues(_ nodes: Set<WaitForGraph.Node>) -> [StuckAnswer.Party] {
        let waiting = nodes.compactMap { node -> (address: UInt, items: Int)? in
            guard case .queue(let address) = node, let queue = queues[address] else { return nil }
            return (address, hostItems(queue))
        }.filter { $0.items > 0 }.sorted {
            $0.items != $1.items ? $0.items > $1.items : $0.address < $1.address
        }
        return waiting.prefix(3).map { party(queue: $0.address) }
    }

    func party(actor address: UInt) -> StuckAnswer.Party {
        StuckAnswer.Party(
            subject(.actor(address)), .jobs(count: actors[address]?.jobs.count ?? 0))
    }

    // MARK: Tasks

    func party(task address: UInt) -> StuckAnswer.Party {
        guard let task = tasks[address] else { return StuckAnswer.Party(subject(.task(address))) }
        let frames = task.frames.flatMap { later.names[$0.address] ?? [] }
        let actor = actorsByType.first { actor in
            frames.contains { $0.isMethod(of: actor.type) }
        }
        var party = StuckAnswer.Party(
            subject(.task(address)), on: actor.map { subject(.actor($0.address)) }, state(of: task))
        party.isCancelled = task.isCancelled
        party.set(frames.hostFrame)
        party.frames = frames.hostsPart
        party.waitsIn = frames.machinery
        if !frames.hasHostsOwn { party.isForeign = true }
        return party
    }

    private func state(of task: TaskFacts) -> StuckAnswer.State {
        switch task.waitsFor {
        case .task(let other): .waits(for: subject(.task(other)), nil)
        case .group: .children(count: task.children.count)
        case .continuation: .continuation
        // A job of no actor is in the line of the pool.
        case .executor(0) where later.swiftPool != nil:
            .waits(for: subject(.pool(later.swiftPool ?? 0)), .turn)
        case .executor(let executor): .waits(for: subject(.actor(executor)), nil)
        case .timer: .time
        case nil: task.state == .running ? .runs : .suspended
        }
    }

    /// The first three of the waiting parties: threads, tasks and operations.
    func firstParties(of nodes: [WaitForGraph.Node]) -> [StuckAnswer.Party] {
        var found: [StuckAnswer.Party] = []
        for node in nodes where found.count < 3 {
            switch node {
            case .thread(let id): found.append(party(thread: id))
            case .task(let address): found.append(party(task: address))
            case .operation(let address): found.append(party(operation: address))
            default: continue
            }
        }
        return found
    }

    /// Some of those that wait for a finding, without their frames: threads, those at one place as
    /// one and the main thread first, then tasks and operations.
    func waitingParties(of nodes: [WaitForGraph.Node]) -> [StuckAnswer.Party] {
        var ids: [Int32] = []
        var tasks: [UInt] = []
        var operations: [UInt] = []
        for node in nodes {
            switch node {
            case .thread(let id): ids.append(id)
            case .task(let address): tasks.append(address)
            case .operation(let address): operations.append(address)
            default: break
            }
        }
        ids.sort { (threads[$0]?.isMain == true ? 0 : $0) < (threads[$1]?.isMain == true ? 0 : $1) }
        let most = 3
        var parties = folded(ids).prefix(most).map(\.self)
        parties += tasks.sorted().prefix(most - parties.count).map { party(task: $0) }
        parties += operations.sorted().prefix(most - parties.count).map { party(operation: $0) }
        for index in parties.indices {
            parties[index].frames = []
            parties[index].gap = nil
        }
        return parties
    }

    // MARK: Operations

    func party(operation address: UInt) -> StuckAnswer.Party {
        let subject = subject(.operation(address))
        guard let operation = operations[address] else { return StuckAnswer.Party(subject) }
        let unfinished = operation.dependencies.filter {
            operations[$0].map { $0.state != .finished } ?? false
        }
        let lacks: StuckAnswer.Lack? =
            operation.queue == nil && operation.state != .executing
            ? .queue : operation.isQueueSuspended ? .resumedQueue : nil
        var party = StuckAnswer.Party(
            subject, on: operation.queue.map { .init(.queue, $0) },
            unfinished.isEmpty
                ? .operation(progress: operation.state.rawValue, lacks: lacks)
                : .dependencies(
                    names: unfinished.prefix(3).map { self.subject(.operation($0)).name }))
        party.isCancelled = operation.isCancelled
        return party
    }
}

extension StuckAnswer.Party {
    fileprivate mutating func set(_ frame: ResolvedFrame?) {
        function = frame?.title
        file = frame?.sourceFile
        line = frame?.line
    }
}
#endif
