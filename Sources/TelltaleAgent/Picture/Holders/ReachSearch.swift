#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// Looks forward from what lives for what is waited for: from Dispatch's timers and other sources, and from
/// the stacks of event loops that wait for events.
///
/// Most of a healthy service's waits are found so, in some milliseconds. A way that is found is gone along
/// once more by the rules of the search for holders; what is not found, or by no such way, is left to that
/// one.
struct ReachSearch {
    /// Processor time from each kind of beginning, however much there is to go through. Not time of the
    /// clock: beside a busy host no way would be gone to its end, nor where it takes a debug build longer to
    /// say what is wanted of 50,000 tasks, and what something alive will end would be said to wait long.
    static let longest = Duration.milliseconds(40)
    /// How many threads' stacks are gone on from; of event loops there are as many as cores.
    private static let mostThreads = 256

    private let picture: Picture
    private let graph: ReachGraph
    private let deadline: MonotonicTime
    private var judge: HolderJudge
    /// The threads that it went on from.
    private var threads: [Int32] = []
    /// What a step of a way comes to, by its word: thousands may lead by one.
    private var verdicts: [UInt: Verdict] = [:]

    private enum Verdict {
        case part
        case root(Holders.Root)
        case none
    }

    /// Who lives and leads to some of the targets. What it can't tell of is not in the result.
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

    /// What waits in a queue, or in a task, may never be come to: its ways are others.
    private func want(_ targets: [WaitTarget]) {
        for queue in picture.queues { graph.close(queue.address) }
        for task in picture.tasks { graph.close(task.address) }
        let semaphores = Set(picture.semaphores.map(\.address))
        let checked = Set(picture.tasks.lazy.filter(picture.isChecked).map(\.address))
        for target in targets {
            switch target {
            // One of the C library's is a part of something else.
            case .semaphore(let address) where !semaphores.contains(address):
                _ = graph.want(inside: address)
            case .semaphore(let address), .group(let address): _ = graph.want(address)
            case .condition(let word): _ = graph.want(inside: word)
            case .continuation(let task):
                _ = graph.want(task, heldBy: checked.contains(task) ? judge.continuationWord : 0)
            }
        }
    }

    /// Whether one still fires is asked where a way has been found.
    private mutating func goOnFromSources() -> Bool {
        for source in picture.timers.map(\.address) + picture.sources {
            graph.begin(0, at: source)
        }
        return graph.run(using: Self.longest, until: deadline)
    }

    /// Other threads may have by chance what they have on their stacks. An event loop has its channels: a
    /// search backwards ends at a variable that is nearer (SwiftNIO's are eleven objects away from a task that
    /// awaits the next connection). But not Dispatch's, whose sources have been asked.
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

    /// Where a way begins; nil where a part of it is none.
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
        // It comes to know the class of the block by this.
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
