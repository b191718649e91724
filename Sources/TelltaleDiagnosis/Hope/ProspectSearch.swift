#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// Finds the potential wakers of a wait.
///
/// A waker belongs to a wait: a thread that reaches the object waited for may end the wait, if it
/// can continue itself. Two threads that could only be woken by each other have no waker.
///
/// It is queried for one wait after another: the common part of a thousand waits is searched once,
/// and all of them together are bounded.
struct ProspectSearch: Sendable {
    let process: Comparison
    /// The nodes known to continue, by any path: that path exists for other waits too.
    private var living: Set<WaitForGraph.Node> = []
    /// The nodes reached by earlier queries, among which none was found that continues.
    private var hopeless: Set<WaitForGraph.Node> = []
    /// Beginnings of ways that may yet be looked into: 0.1 us each optimised, 1 us else.
    private var stepsLeft = 300_000
    /// The nodes and objects on the current query's path: a path that leads back to one is not a path.
    private var asked: Set<WaitForGraph.Node> = []
    private var askedTargets: Set<WaitTarget> = []
    private var left = 2000
    /// The current depth in nodes: a step takes 31 KB of a stack of 1 MB in a debug build.
    private var depth = 0
    /// The number of nodes above that need everything that they wait for, and not any of it.
    private var alls = 0
    private var hasAlls = false
    private static let mostDepth = 20

    init(process: Comparison) { self.process = process }

    /// Returns the prospect of a wait for `target`.
    ///
    /// Without a search, any activity in the process counts as a potential waker.
    mutating func expect(of target: WaitTarget) -> Prospect {
        begin()
        return prospect(of: target)
    }

    private mutating func begin() {
        asked = []
        askedTargets = []
        left = 2000
        depth = 0
        alls = 0
        hasAlls = false
    }

    private mutating func step() -> Bool {
        stepsLeft -= 1
        return stepsLeft > 0
    }

    private mutating func prospect(of target: WaitTarget) -> Prospect {
        // A path that leads back to the waiting party does not count.
        guard askedTargets.insert(target).inserted else { return .nothing }
        if case .continuation(let task) = target { asked.insert(.task(task)) }
        defer { if alls > 0 { askedTargets.remove(target) } }
        guard let holders = process.later.holders[target] else {
            return process.isHopeless ? .nothing : process.hope.map { .maybe($0) } ?? .nothing
        }
        // An event that comes by itself needs no further path.
        if let own = holders.roots.first(where: { ownChance(of: $0) == .lives }) {
            return .hope(hope(of: own))
        }
        var doubt: StuckAnswer.Hope?
        for root in holders.roots {
            guard step() else { return .maybe(doubt ?? .unsearched) }
            switch chance(by: root) {
            case .lives: return .hope(hope(of: root))
            // The type that holds it says more than the variable at which its way begins.
            case .unknown:
                doubt = doubt ?? holders.nearest.map { .object(type: $0) } ?? hope(of: root)
            case .none:
                // It is being resumed, whatever keeps that thread.
                if case (.continuation, .thread(let id)) = (target, root),
                    process.threads[id]?.isResuming == true
                {
                    doubt = doubt ?? .resuming(thread: process.title(ofThread: id))
                }
            }
        }
        if let doubt { return .maybe(doubt) }
        guard holders.isWhole || process.isHopeless else {
            return .maybe(process.later.opaqueRoots.first?.hope ?? .unsearched)
        }
        // If any path would do, none of the nodes reached leads to one that continues.
        if depth == 0, !hasAlls { hopeless.formUnion(asked) }
        return .nothing
    }

    /// A live root that reaches `target` and will end the wait for it; `nil` if none is known.
    mutating func livingRoot(of target: WaitTarget) -> Holders.Root? {
        begin()
        guard let holders = process.later.holders[target] else { return nil }
        if let own = holders.roots.first(where: { ownChance(of: $0) == .lives }) { return own }
        askedTargets.insert(target)
        if case .continuation(let task) = target { asked.insert(.task(task)) }
        // One picture doesn't tell that a task that is resumed repeatedly continues.
        let roots = holders.roots.filter { !$0.isTask } + holders.roots.filter(\.isTask)
        return roots.first { step() && chance(by: $0) == .lives }
    }

    /// Returns the chance that an event comes by itself; `nil` if a party has to cause it.
    private func ownChance(of root: Holders.Root) -> Chance? {
        switch root {
        case .timer(let address):
            let timer = process.timers[address]
            if let timer, timer.isCancelled { return Chance.none }
            if let timer, timer.suspendCount > 0 { return .unknown }
            return .lives
        case .source: return .lives
        case .thread, .task, .item, .global, .object, .event: return nil
        }
    }

    private mutating func chance(by root: Holders.Root) -> Chance {
        switch root {
        case .timer, .source: return ownChance(of: root) ?? .lives
        case .item(let queue):
            guard let facts = process.queues[queue] else { return .lives }
            if facts.suspendCount > 0 || facts.isInactive { return .unknown }
            return chance(of: .queue(queue))
        case .thread(let id):
            // A thread created since the picture.
            guard let thread = process.threads[id] else { return .unknown }
            if thread.wait == .idle { return thread.isInSignalWait ? .lives : .none }
            return chance(of: .thread(id))
        case .task(let address):
            return process.tasks[address] == nil ? .unknown : chance(of: .task(address))
        case .event(let epoll, _): return chance(ofEventsOn: epoll)
        case .global, .object: return .unknown
        }
    }

    /// Returns the chance that an event of an epoll is handled, by a thread that waits on it or returns to it.
    private mutating func chance(ofEventsOn epoll: Int32) -> Chance {
        guard let loop = process.later.eventLoops.first(where: { $0.descriptor == epoll }) else {
            return .unknown
        }
        if !loop.waiting.isEmpty { return .lives }
        return loop.threads.isEmpty ? .unknown : best(loop.threads.map { .thread($0) })
    }

    /// Returns the description of a path's root.
    private func hope(of root: Holders.Root) -> StuckAnswer.Hope {
        switch root {
        case .timer: return .timer
        case .source(_, let watches): return .source(watches: watches)
        case .item(let queue): return .item(queue: process.subject(queue: queue).name)
        case .thread(let id):
            guard let thread = process.threads[id] else { return .unsearched }
            // One that waits itself passes on what may wake it.
            if thread.wait.needsAnother, process.unmovedThreads.contains(id),
                let root = process.later.opaqueRoots.first
            {
                return root.hope
            }
            let name = thread.isMain ? "the main thread" : process.title(ofThread: id)
            let state =
                thread.wait == .idle ? .call(name: "sigwait") : process.hopeState(of: thread)
            return .thread(name: name, state)
        case .task(let address):
            guard process.tasks[address] != nil else { return .unsearched }
            return .task(name: process.subject(.task(address)).name)
        case .global(_, let name): return .global(name: name)
        case .object(_, let type): return .object(type: type)
        case .event(let epoll, let descriptor):
            return .event(descriptor: descriptor, epoll: epoll)
        }
    }

    /// Returns the chance that a node continues, by itself or by another party that may.
    private mutating func chance(of node: WaitForGraph.Node) -> Chance {
        if living.contains(node) { return .lives }
        if hopeless.contains(node) { return .none }
        guard left > 0, depth < Self.mostDepth else { return .unknown }
        left -= 1
        guard asked.insert(node).inserted else { return .none }
        let chance = ownChance(of: node)
        if chance == .lives { living.insert(node) }
        return chance
    }

    private mutating func ownChance(of node: WaitForGraph.Node) -> Chance {
        depth += 1
        // A node that could not continue once can't by another path either, if any path would do.
        defer {
            depth -= 1
            if alls > 0 { asked.remove(node) }
        }
        switch node {
        case .thread(let id): return chance(ofThread: id)
        case .queue(let address):
            guard let queue = process.queues[address] else { return .lives }
            return queue.isPool ? chance(ofPool: queue) : chance(ofQueue: queue)
        case .task(let address): return chance(ofTask: address)
        case .lock, .semaphore, .group, .condition, .pool, .actor, .operation: return .lives
        }
    }

    private mutating func chance(ofQueue queue: QueueFacts) -> Chance {
        guard process.unmovedQueues.contains(queue.address) else { return .lives }
        let blockers = process.blockers(of: queue)
        guard blockers.isEmpty else {
            return worst(blockers)
        }
        return queue.target.map { chance(of: .queue($0)) } ?? .lives
    }

    /// The worst chance among several threads, all of which have to continue.
    private mutating func worst(_ threads: [Int32]) -> Chance {
        alls += 1
        hasAlls = true
        defer { alls -= 1 }
        var worst = Chance.lives
        for thread in threads where worst != .none {
            worst = min(worst, chance(of: .thread(thread)))
        }
        return worst
    }

    /// Returns the chance that one of a pool's threads becomes free. Hundreds may wait for one
    /// object.
    private mutating func chance(ofPool pool: QueueFacts) -> Chance {
        guard let threads = process.blockedThreads(ofPool: pool) else { return .lives }
        var waits: Set<ThreadWait> = []
        return best(threads.lazy.map { WaitForGraph.Node.thread($0) }) { [process] node in
            guard case .thread(let id) = node, let wait = process.threads[id]?.wait else {
                return false
            }
            return waits.insert(wait).inserted
        }
    }

    /// The best chance among several, any of which would do.
    private mutating func best(
        _ nodes: some Sequence<WaitForGraph.Node>,
        where isWanted: (WaitForGraph.Node) -> Bool = { _ in true }
    ) -> Chance {
        var best = Chance.none
        for node in nodes where best != .lives && isWanted(node) {
            best = max(best, chance(of: node))
        }
        return best
    }

    private mutating func chance(ofThread id: Int32) -> Chance {
        guard let thread = process.threads[id] else { return missing }
        guard thread.wait.needsAnother, process.unmovedThreads.contains(id) else { return .lives }
        switch thread.wait {
        case .lock(_, let owner?, _): return chance(of: .thread(owner))
        case .thread(let other): return chance(of: .thread(other))
        case .queue(let queue): return chance(of: .queue(queue))
        case .semaphore(let address): return prospect(of: .semaphore(address)).chance
        case .group(let address): return prospect(of: .group(address)).chance
        case .condition(let address): return prospect(of: .condition(address)).chance
        default: return .lives
        }
    }

    private mutating func chance(ofTask address: UInt) -> Chance {
        guard let task = process.tasks[address] else { return missing }
        if let runner = process.runners[address] { return chance(of: .thread(runner)) }
        guard process.unmovedTasks.contains(address) else { return .lives }
        switch task.waitsFor {
        case .task(let other): return chance(of: .task(other))
        case .continuation: return prospect(of: .continuation(task: address)).chance
        case .group:
            guard !task.children.isEmpty else { return .lives }
            return best(task.children.map { .task($0) })
        case .executor(let executor): return chance(ofTurnOn: executor)
        case .timer, nil: return .lives
        }
    }

    /// Returns the chance that an executor gets to the jobs that wait for it.
    private mutating func chance(ofTurnOn executor: UInt) -> Chance {
        if process.later.executors[executor] == "MainActor" {
            return worst(process.mainServers)
        }
        if let actor = process.actors[executor], actor.state == .running {
            let runners = process.runners(of: actor)
            return runners.isEmpty ? .lives : best(runners.map { .thread($0) })
        }
        // An actor's turn, and a job of no actor, are items of the pool of Swift concurrency.
        return process.swiftPool.map { chance(of: .queue($0.address)) } ?? .lives
    }

    /// A node missing from a picture has ended, or the picture is cut.
    private var missing: Chance { process.later.isCut ? .unknown : .none }
}

extension Holders.Root {
    fileprivate var isTask: Bool { if case .task = self { true } else { false } }
}
#endif
