#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// Searches forward from live roots for the targets of waits: from Dispatch's timers and other sources, and
/// from the stacks of event loops that wait for events.
///
/// Most waits of a healthy service are resolved this way, in some milliseconds. A path that is found is
/// checked again by the rules of the backward search. Targets that are not found, or only by a path that
/// fails the check, are left to the backward search.
struct ReachSearch {
    /// The limit in processor time for each kind of root, however much memory is reachable. It is not
    /// wall-clock time: next to a busy host no search would be completed, nor in a debug build that takes
    /// longer to register 50,000 tasks, and waits that a live root will end would be reported as long.
    static let longest = Duration.milliseconds(40)
    /// The maximum number of threads whose stacks are searched; there are as many event loops as cores.
    private static let mostThreads = 256

    private let picture: Picture
    private let graph: ReachGraph
    private let deadline: MonotonicTime
    private var judge: HolderJudge
    /// The threads that it has started from.
    private var threads: [Int32] = []
    /// The verdict on each step of a path, by its address: thousands of paths may share one.
    private var verdicts: [UInt: Verdict] = [:]

    private enum Verdict {
        case part
        case root(Holders.Root)
        case none
    }

    /// Returns live roots that lead to some of the targets. Targets without a conclusion are not in the
    /// result.
    static func holders(
        of targets: [WaitTarget], in picture: Picture, judge: HolderJudge, _ layout: HeapLayout,
        until deadline: MonotonicTime
    ) -> [WaitTarget: Holders] {
        guard let graph = ReachGraph(layout) else { return [:] }
        return GuardedReading.during {
            var search = ReachSearch(
                picture: picture, graph: graph, judge: judge, until: deadline)
            search.want(targets)
            if !search.goOnFromSources() { search.goOnFromEventLoops() }
            return search.found(targets)
        }
    }

    private init(
        picture: Picture, graph: ReachGraph, judge: HolderJudge, until deadline: MonotonicTime
    ) {
        self.deadline = deadline
        self.picture = picture
        self.graph = graph
        self.judge = judge
    }

    /// Registers the targets. Queues and tasks are never entered: their references are not paths of this
    /// search.
    private func want(_ targets: [WaitTarget]) {
        for queue in picture.queues { graph.close(queue.address) }
        for task in picture.tasks { graph.close(task.address) }
        let semaphores = Set(picture.semaphores.map(\.address))
        let checked = Set(picture.tasks.lazy.filter(picture.isChecked).map(\.address))
        for target in targets {
            switch target {
            // A semaphore of the C library is part of another object.
            case .semaphore(let address) where !semaphores.contains(address):
                _ = graph.want(inside: address)
            case .semaphore(let address), .group(let address): _ = graph.want(address)
            case .condition(let word): _ = graph.want(inside: word)
            case .continuation(let task):
                _ = graph.want(task, heldBy: checked.contains(task) ? judge.continuationWord : 0)
            }
        }
    }

    /// Starts from all sources; whether a source still fires is checked for a path that was found.
    private mutating func goOnFromSources() -> Bool {
        for source in picture.timers.map(\.address) + picture.sources {
            graph.begin(0, at: source)
        }
        return graph.run(using: Self.longest, until: deadline)
    }

    /// Starts from event loops only: the stacks of other threads may contain words by chance. An event loop
    /// owns its channels, while a backward search ends at a variable that is nearer (SwiftNIO's are eleven
    /// objects away from a task that awaits the next connection). Dispatch's manager is left out, since its
    /// sources have been searched.
    private mutating func goOnFromEventLoops() {
        let loops = picture.threads.lazy.filter { [picture] thread in
            !thread.isAgent && thread.wait.isForManyDescriptors
                && thread.queue.flatMap { picture.labels[$0] }.map(DispatchSymbols.isManager)
                    != true
        }
        for thread in loops.prefix(Self.mostThreads) {
            guard let stack = thread.liveStack else { continue }
            graph.begin(threads.count, stack: stack)
            threads.append(thread.id)
        }
        _ = graph.run(using: Self.longest, until: deadline)
    }

    // MARK: What was found

    private mutating func found(_ targets: [WaitTarget]) -> [WaitTarget: Holders] {
        var all: [WaitTarget: Holders] = [:]
        all.reserveCapacity(targets.count)
        for target in targets {
            guard let way = graph.way(to: target.address), let root = root(of: way) else {
                continue
            }
            all[target] = Holders([root], isWhole: false)
        }
        return all
    }

    /// The root of a path; nil if one of its steps fails the check.
    private mutating func root(of way: ReachGraph.Way) -> Holders.Root? {
        for step in way.steps {
            guard let start = step.start else {
                return threads.indices.contains(way.root) ? .thread(threads[way.root]) : nil
            }
            switch verdict(of: step, in: start) {
            case .part: continue
            case .root(let root): return root.isCertain ? root : nil
            case .none: return nil
            }
        }
        return nil
    }

    private mutating func verdict(of step: ReachGraph.Step, in start: UInt) -> Verdict {
        let word = start &+ step.offset
        if let known = verdicts[word] { return known }
        let verdict = newVerdict(of: step, in: start)
        verdicts[word] = verdict
        return verdict
    }

    private mutating func newVerdict(of step: ReachGraph.Step, in start: UInt) -> Verdict {
        guard let word = GuardedReading.load(UInt.self, at: start) else { return .none }
        // This call tells the judge the class of the block.
        let judgement = judge.block(at: start, word: word, size: step.size)
        guard !judge.isLeftOver(word, at: start, size: step.size, offset: step.offset),
            judge.queue(at: start, leadingFrom: step.offset) == nil
        else { return .none }
        return switch judgement {
        case .part: .part
        case .root(let root): .root(root)
        case .nobody: .none
        }
    }
}
#endif
