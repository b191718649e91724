#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// Finds potential wakers of a wait that has no owner: every retaining path in memory that leads to the
/// object waited for.
///
/// All of the memory is searched at once for the object's retainers, then for theirs, and so on until a
/// path reaches a root: a stack, a variable, a timer, an item, a task. A path that ends in an unreachable
/// object doesn't count. No thread is stopped in the meantime. So the search is repeated for an object
/// without a path: if a thread moved a reference during the search, the next one finds it.
struct HolderSearch {
    struct Result {
        var holders: [WaitTarget: Holders] = [:]
        /// The reason why there is no result, or why no search is complete, as a sentence.
        var gap: String?
        /// Set if the deadline has passed.
        var isLate = false
    }

    /// The maximum length of a retaining path. The simplest timer is five references away.
    static let mostLevels = 16
    /// The maximum number of roots that are recorded for each target.
    static let mostRoots = 512

    private let picture: Picture
    private let agent: Agent
    private let deadline: MonotonicTime
    private let layout: HeapLayout

    /// Searches for the retainers of targets. The picture was taken a moment ago, with threads, stacks,
    /// queues and tasks.
    ///
    /// A target without a path is searched for up to `passes` times; a target whose search is not finished
    /// at `deadline` is marked as incomplete.
    static func find(
        _ targets: [WaitTarget], in picture: Picture, agent: Agent, passes: Int = 2,
        until deadline: MonotonicTime
    ) -> Result {
        guard !targets.isEmpty else { return Result() }
        let layout = HeapLayout.known(by: deadline)
        if let reason = layout.reason(.blocks) {
            return Result(gap: "who could end a wait is \(reason)")
        }
        let search = HolderSearch(
            picture: picture, agent: agent, deadline: deadline, layout: layout)
        return search.all(targets, passes: passes)
    }

    /// One search for some targets, from the start.
    private struct Pass {
        var holders: [WaitTarget: Holders] = [:]
        var gap: String?
        /// Dispatch threads that started to work during the search: they may have held a reference in their
        /// registers or on their stacks.
        var moved: Set<Int32> = []
    }

    /// The maximum number of searches for each target. A search is repeated if the target had no path, or
    /// if a Dispatch thread that started to work may have held one.
    private static let mostPasses = 4

    private static let noMemory = "who could end a wait is not available: there is no memory"

    private func all(_ targets: [WaitTarget], passes: Int) -> Result {
        guard let images = LoadedImages.read() else { return Result(gap: Self.noMemory) }
        var result = Result(holders: reached(targets, images))
        var open =
            result.holders.count == targets.count
            ? [] : targets.filter { result.holders[$0] == nil }
        var working: Set<Int32> = []
        for round in 0..<Self.mostPasses where !open.isEmpty {
            let pass = pass(open, images, working: working)
            result.holders.merge(pass.holders) { earlier, later in
                var later = later
                if later.continuations != earlier.continuations { later.isWhole = false }
                return later
            }
            result.gap = pass.gap
            guard pass.gap == nil else { break }
            working.formUnion(pass.moved)
            open = open.filter { target in
                guard let holders = pass.holders[target], holders.isWhole else { return false }
                return !pass.moved.isEmpty || (round + 1 < passes && holders.roots.isEmpty)
            }
            if round == Self.mostPasses - 1, !open.isEmpty {
                result.gap = "threads of Dispatch's began to work while holders were searched for"
            }
        }
        result.isLate = result.gap != nil && .now >= deadline
        if result.gap != nil { for target in open { result.holders[target]?.isWhole = false } }
        return result
    }

    /// Returns the targets that are reachable from something that is alive.
    private func reached(
        _ targets: [WaitTarget], _ images: LoadedImages
    ) -> [WaitTarget: Holders] {
        let judge = HolderJudge(picture, images, cachedItems: [], until: deadline)
        return ReachSearch.holders(
            of: targets, in: picture, judge: judge, layout, until: deadline)
    }

    private func pass(
        _ targets: [WaitTarget], _ images: LoadedImages, working: Set<Int32>
    ) -> Pass {
        guard let before = LiveStacks.read(images, until: deadline),
            let graph = HolderGraph(layout, until: deadline)
        else { return Pass(gap: Self.noMemory) }
        let resting = restingWorkers(before).subtracting(working)
        graph.add(images)
        for stack in before.stacks {
            graph.add(stack, isHolder: !stack.isAgent && !resting.contains(stack.thread))
        }
        for event in KernelRoots.events(of: picture) { graph.add(event) }
        var ways = HolderWays(
            graph: graph, picture: picture,
            judge: HolderJudge(
                picture, images, cachedItems: before.cachedItems, until: deadline),
            until: deadline)
        GuardedReading.during { for target in targets { ways.add(target) } }
        var level = 0
        while level < Self.mostLevels, ways.hasWanted {
            guard graph.searchOnce() else { break }
            level += 1
            GuardedReading.during { ways.takeLevel(level) }
        }
        let found = GuardedReading.during { ways.holders() }
        var pass = Pass(holders: named(found), gap: graph.gap)
        if pass.gap == nil, before.hidden > 0 {
            pass.gap = LiveStacks.gap(hidden: before.hidden)
        }
        if pass.gap == nil { pass.moved = moved(resting, before, images) }
        return pass
    }

    // MARK: Variables

    /// The maximum number of variables that are named: each needs a scan of a whole symbol table.
    private static let mostNames = 64

    /// Adds the names of variables, and removes those that belong to the agent or to Dispatch's manager:
    /// the sources that the manager knows are roots by themselves.
    private func named(_ holders: [WaitTarget: Holders]) -> [WaitTarget: Holders] {
        var variables: Set<UInt> = []
        for found in holders.values {
            for root in found.roots { if let address = root.variable { variables.insert(address) } }
        }
        let addresses = Array(variables.prefix(Self.mostNames))
        guard !addresses.isEmpty else { return holders }
        let names = Dictionary(
            zip(addresses, agent.symbols.names(of: addresses, deadline: deadline))
        ) { first, _ in first }
        return holders.mapValues { holders in
            // Most targets have as many roots as there are threads, and no variable.
            guard holders.roots.contains(where: { $0.variable != nil }) else { return holders }
            var holders = holders
            holders.roots = holders.roots.compactMap { root in
                guard let address = root.variable, let found = names[address] else { return root }
                return VariableName.isNobodys(found)
                    ? nil : .global(address, name: VariableName.of(found))
            }
            return holders
        }
    }

    // MARK: Threads that retain nothing

    /// Idle Dispatch workers, and Dispatch's manager thread: the words on their stacks are stale.
    private func restingWorkers(_ stacks: LiveStacks) -> Set<Int32> {
        let now = Dictionary(stacks.stacks.map { ($0.thread, $0) }) { first, _ in first }
        var resting: Set<Int32> = []
        for thread in picture.threads {
            guard case .waiting(let call) = thread.state, let stack = now[thread.id] else {
                continue
            }
            if thread.wait == .idle, call.name == "futex", stack.futex == call.arguments.first,
                !stack.hasQueue
            {
                resting.insert(thread.id)
            } else if thread.wait.isEventLoop, let queue = thread.queue,
                picture.labels[queue].map(DispatchSymbols.isManager) == true, stack.pointer != nil
            {
                resting.insert(thread.id)
            }
        }
        return resting
    }

    private func moved(
        _ resting: Set<Int32>, _ before: LiveStacks, _ images: LoadedImages
    ) -> Set<Int32> {
        guard !resting.isEmpty else { return [] }
        guard let after = LiveStacks.read(images, until: deadline) else { return resting }
        let now = Dictionary(after.stacks.map { ($0.thread, $0.processorTime) }) { first, _ in first
        }
        // The manager moves with each event, and hands over everything that it has.
        let workers = before.stacks.filter { resting.contains($0.thread) && !$0.hasQueue }
        return Set(
            workers.filter { stack in
                now[stack.thread].map { $0 != stack.processorTime } ?? false
            }.map(\.thread))
    }
}

extension Holders.Root {
    fileprivate var variable: UInt? {
        if case .global(let address, _) = self { address } else { nil }
    }
}
#endif
