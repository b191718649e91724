#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// What is to be expected of a wait that has no owner.
enum Prospect: Equatable {
    /// Nothing in the process can reach what is waited for.
    case nothing
    /// Something that lives reaches it, and may end the wait.
    case hope(StuckAnswer.Hope)
    /// It can't be told: who holds it is seen, and not whether he will use it.
    case maybe(StuckAnswer.Hope)

    /// What may end the wait; nil where nothing can.
    var hope: StuckAnswer.Hope? {
        switch self {
        case .nothing: nil
        case .hope(let hope), .maybe(let hope): hope
        }
    }
}

extension WaitForGraph.Node {
    /// What it waits for, as a search of the memory names it; nil for what has an owner.
    var target: WaitTarget? {
        switch self {
        case .semaphore(let address): .semaphore(address)
        case .group(let address): .group(address)
        case .condition(let address): .condition(address)
        case .task(let address): .continuation(task: address)
        case .thread, .queue, .lock, .pool, .actor, .operation: nil
        }
    }
}

/// Finds out who could still end a wait.
///
/// Hope belongs to a wait: whoever reaches what is waited for may end it, if he can go on himself. Two
/// that could only be woken by each other have none.
struct ProspectSearch {
    let process: Comparison
    /// What is being asked already: a way that leads back to it is none.
    private var asked: Set<WaitForGraph.Node> = []
    private var left = 2000
    /// How many nodes deep it is: a step takes 31 KB of a stack of 1 MB in a debug build.
    private var depth = 0
    /// How many nodes above need all that they wait for, and not any.
    private var alls = 0
    private static let mostDepth = 20

    init(process: Comparison) { self.process = process }

    /// What is to be expected of a wait for `target`.
    ///
    /// Where nothing was searched for, whatever moves in the process counts as hope.
    mutating func prospect(of target: WaitTarget) -> Prospect {
        guard let holders = process.later.holders[target] else {
            return process.isHopeless ? .nothing : process.hope.map { .maybe($0) } ?? .nothing
        }
        var doubt: StuckAnswer.Hope?
        for root in holders.roots {
            switch prospect(of: root) {
            case .hope(let hope): return .hope(hope)
            // The type that holds it says more than the variable at which its way begins.
            case .maybe(let hope):
                doubt = doubt ?? holders.nearest.map { .object(type: $0) } ?? hope
            case .nothing: continue
            }
        }
        if let doubt { return .maybe(doubt) }
        return holders.isWhole ? .nothing : .maybe(.unsearched)
    }

    private mutating func prospect(of root: Holders.Root) -> Prospect {
        switch root {
        case .timer(let address):
            let timer = process.later.timers.first { $0.address == address }
            if let timer, timer.isCancelled { return .nothing }
            if let timer, timer.suspendCount > 0 { return .maybe(.timer) }
            return .hope(.timer)
        case .source(_, let watches): return .hope(.source(watches: watches))
        case .item(let queue):
            let name = process.subject(queue: queue).name
            guard let facts = process.queues[queue] else { return .hope(.item(queue: name)) }
            if facts.suspendCount > 0 || facts.isInactive { return .maybe(.item(queue: name)) }
            return canGoOn(.queue(queue)) ? .hope(.item(queue: name)) : .nothing
        case .thread(let id):
            // One that has come since the picture.
            guard let thread = process.threads[id] else { return .maybe(.unsearched) }
            let name = thread.isMain ? "the main thread" : process.title(ofThread: id)
            if thread.wait == .idle {
                guard thread.isInSignalWait else { return .nothing }
                return .hope(.thread(name: name, .call(name: "sigwait")))
            }
            guard canGoOn(.thread(id)) else { return .nothing }
            return .hope(.thread(name: name, process.hopeState(of: thread)))
        case .task(let address):
            guard process.tasks[address] != nil else { return .maybe(.unsearched) }
            guard canGoOn(.task(address)) else { return .nothing }
            return .hope(.task(name: process.subject(.task(address)).name))
        case .global(_, let name): return .maybe(.global(name: name))
        case .object(_, let type): return .maybe(.object(type: type))
        }
    }

    /// Whether something may go on by itself, or by somebody who may.
    private mutating func canGoOn(_ node: WaitForGraph.Node) -> Bool {
        guard left > 0, depth < Self.mostDepth else { return true }
        left -= 1
        guard asked.insert(node).inserted else { return false }
        depth += 1
        // What could not go on once can't by another way either, where any way would do.
        defer {
            depth -= 1
            if alls > 0 { asked.remove(node) }
        }
        switch node {
        case .thread(let id): return canGoOn(thread: id)
        case .queue(let address):
            guard let queue = process.queues[address] else { return true }
            return queue.isPool ? canGoOn(pool: queue) : canGoOn(queue: queue)
        case .task(let address): return canGoOn(task: address)
        case .lock, .semaphore, .group, .condition, .pool, .actor, .operation: return true
        }
    }

    private mutating func canGoOn(queue: QueueFacts) -> Bool {
        guard process.unmovedQueues.contains(queue.address) else { return true }
        let blockers = process.blockers(of: queue)
        guard blockers.isEmpty else {
            alls += 1
            defer { alls -= 1 }
            return blockers.allSatisfy { canGoOn(.thread($0)) }
        }
        return queue.target.map { canGoOn(.queue($0)) } ?? true
    }

    /// Whether one of a pool's threads may come free. Hundreds may wait for one thing.
    private mutating func canGoOn(pool: QueueFacts) -> Bool {
        guard let threads = process.blockedThreads(ofPool: pool) else { return true }
        var waits: Set<ThreadWait> = []
        return threads.contains { id in
            guard let wait = process.threads[id]?.wait, waits.insert(wait).inserted else {
                return false
            }
            return canGoOn(.thread(id))
        }
    }

    private mutating func canGoOn(thread id: Int32) -> Bool {
        guard let thread = process.threads[id] else { return process.later.isCut }
        guard thread.wait.needsAnother, process.unmovedThreads.contains(id) else { return true }
        switch thread.wait {
        case .lock(_, let owner?, _): return canGoOn(.thread(owner))
        case .thread(let other): return canGoOn(.thread(other))
        case .queue(let queue): return canGoOn(.queue(queue))
        case .semaphore(let address): return prospect(of: .semaphore(address)) != .nothing
        case .group(let address): return prospect(of: .group(address)) != .nothing
        case .condition(let address): return prospect(of: .condition(address)) != .nothing
        default: return true
        }
    }

    private mutating func canGoOn(task address: UInt) -> Bool {
        guard let task = process.tasks[address] else { return process.later.isCut }
        if let runner = process.runners[address] { return canGoOn(.thread(runner)) }
        guard process.unmovedTasks.contains(address) else { return true }
        switch task.waitsFor {
        case .task(let other): return canGoOn(.task(other))
        case .continuation: return prospect(of: .continuation(task: address)) != .nothing
        case .group: return task.children.isEmpty || task.children.contains { canGoOn(.task($0)) }
        case .executor(let executor): return canTakeTurns(executor)
        case .timer, nil: return true
        }
    }

    /// Whether an executor may come to the jobs that wait for it.
    private mutating func canTakeTurns(_ executor: UInt) -> Bool {
        if process.later.executors[executor] == "MainActor" {
            return process.later.threads.first(where: \.isMain).map { canGoOn(.thread($0.id)) }
                ?? true
        }
        if let actor = process.actors[executor], actor.state == .running {
            let runners = process.runners(of: actor)
            return runners.isEmpty || runners.contains { canGoOn(.thread($0)) }
        }
        // An actor's turn, and a job of no actor, are items of the pool of Swift concurrency.
        return process.swiftPool.map { canGoOn(.queue($0.address)) } ?? true
    }
}

extension Comparison {
    /// What a thread does that may end another one's wait.
    func hopeState(of thread: ThreadFacts) -> StuckAnswer.State? {
        switch thread.wait {
        case .running: .runs
        case .time: .time
        case .event(let call), .eventLoop(let call), .unknown(let call): .call(name: call)
        default: nil
        }
    }
}

extension ThreadFacts {
    /// Whether it waits for a signal to the process, which may come from outside.
    fileprivate var isInSignalWait: Bool {
        if case .waiting(let call) = state { call.name == "rt_sigtimedwait" } else { false }
    }
}
#endif
