#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// Two pictures of one process, compared: the contents of the later one, and the part of it that
/// has not moved since the earlier one.
///
/// A class, since it is asked for at every turn: of a structure of this size code that was not optimised
/// makes a copy each time.
final class Comparison: Sendable {
    let earlier: Picture
    let later: Picture
    /// The observations before both.
    let history: WaitHistory
    /// Indicates that a wait without a search result is taken to have no potential waker.
    let isHopeless: Bool
    let threads: [Int32: ThreadFacts]
    let queues: [UInt: QueueFacts]
    let tasks: FactTable<UInt, TaskFacts>
    let actors: [UInt: ActorFacts]
    let operations: [UInt: PlacedOperation]
    let groups: [UInt: GroupFacts]
    let semaphores: [UInt: SemaphoreFacts]
    let timers: [UInt: TimerFacts]
    /// Threads that have not run between the pictures, in the same call.
    let unmovedThreads: Set<Int32>
    /// Queues whose waiting items have not moved, and which the same thread holds.
    let unmovedQueues: Set<UInt>
    let unmovedTasks: UnmovedTasks
    let unmovedOperations: Set<UInt>
    /// Threads by the queue that they are in.
    let holders: [UInt: [Int32]]
    /// Threads by the task that they run.
    let runners: [UInt: Int32]
    /// Threads by the actor that they run on, as the runtime notes it.
    let executing: [UInt: [Int32]]
    /// Operations that are in a queue and not finished.
    let operationsToWaitFor: [PlacedOperation]
    /// Threads that are in an operation, as far as their functions say that.
    let inOperations: [ThreadFacts]
    /// The number of executing operations.
    let executingOperations: Int
    /// An actor of each type, the first, by the type's name.
    let actorsByType: [(type: String, address: UInt)]
    /// The activity in the process, or the input expected from outside of it; `nil` for neither:
    /// then each wait is for good.
    ///
    /// It doesn't say which wait it could end, and counts only if a wait could not be searched for
    /// by itself.
    let hope: StuckAnswer.Hope?

    /// Compares two pictures; `history` has the observations before both.
    static func of(_ earlier: Picture, _ later: Picture, _ history: WaitHistory) -> Comparison {
        let tasks = Self.same(earlier.tasks, later.tasks, by: { $0.address }) {
            $0.hasNotMoved(since: $1)
        }.subtracting(earlier.movedTasks).subtracting(later.movedTasks)
        return Comparison(earlier, later, history, unmovedTasks: .these(tasks)).withHope
    }

    /// A picture compared with itself.
    static func of(_ picture: Picture, _ history: WaitHistory) -> Comparison {
        Comparison(
            picture, picture, history, unmovedTasks: .all(but: picture.movedTasks, of: picture)
        ).withHope
    }

    private var withHope: Comparison {
        Comparison(self, later, isHopeless: false, hope: findHope())
    }

    // Without a potential waker, which is found in the comparison itself.
    private init(
        _ earlier: Picture, _ later: Picture, _ history: WaitHistory, unmovedTasks: UnmovedTasks
    ) {
        self.unmovedTasks = unmovedTasks
        isHopeless = false
        hope = nil
        self.earlier = earlier
        self.later = later.doubtingHolders
        self.history = history
        threads = Self.table(later.threads, \.id)
        queues = Self.table(later.queues, \.address)
        tasks = FactTable(later.tasks) { $0.address }
        actors = Self.table(later.actors, \.address)
        operations = Self.table(later.operations, \.address)
        groups = Self.table(later.groups, \.address)
        semaphores = Self.table(later.semaphores, \.address)
        timers = Self.table(later.timers, \.address)
        unmovedThreads = Self.same(earlier.threads, later.threads, by: { $0.id }) {
            $0.hasNotMoved(since: $1)
        }
        unmovedQueues = Self.same(earlier.queues, later.queues, by: { $0.address }) {
            $0.hasNotMoved(since: $1)
        }
        unmovedOperations = Self.same(earlier.operations, later.operations, by: { $0.address }) {
            $0.state == $1.state && $0.dependencies == $1.dependencies && $0.queue == $1.queue
        }
        var holders: [UInt: [Int32]] = [:]
        for thread in later.threads where thread.wait != .idle {
            for queue in thread.held { holders[queue, default: []].append(thread.id) }
        }
        self.holders = holders
        runners = Dictionary(
            later.threads.compactMap { thread in thread.task.map { ($0, thread.id) } }
        ) { first, _ in first }
        executing = Dictionary(grouping: later.threads.filter { $0.executor != nil }) {
            $0.executor ?? 0
        }.mapValues { $0.map(\.id) }
        operationsToWaitFor = later.operations.filter {
            $0.state != .finished && $0.queue != nil && !$0.isUnobserved
        }
        executingOperations = later.operations.count { $0.state == .executing }
        inOperations = later.operations.isEmpty ? [] : later.threads.filter(\.isInOperation)
        var types: Set<String> = []
        actorsByType = later.actors.compactMap { actor in
            types.insert(actor.typeName).inserted ? (actor.typeName, actor.address) : nil
        }
    }

    /// The same except for the given properties.
    private init(
        _ other: Comparison, _ later: Picture, isHopeless: Bool, hope: StuckAnswer.Hope?
    ) {
        self.later = later.doubtingHolders
        self.isHopeless = isHopeless
        self.hope = hope
        earlier = other.earlier
        history = other.history
        threads = other.threads
        queues = other.queues
        tasks = other.tasks
        actors = other.actors
        operations = other.operations
        groups = other.groups
        semaphores = other.semaphores
        timers = other.timers
        unmovedThreads = other.unmovedThreads
        unmovedQueues = other.unmovedQueues
        unmovedTasks = other.unmovedTasks
        unmovedOperations = other.unmovedOperations
        holders = other.holders
        runners = other.runners
        executing = other.executing
        operationsToWaitFor = other.operationsToWaitFor
        inOperations = other.inOperations
        executingOperations = other.executingOperations
        actorsByType = other.actorsByType
    }

    /// The longest time that a task has been unchanged, in seconds.
    var ageOfOldestTask: Double {
        (later.time - min(history.oldestTask ?? earlier.time, earlier.time)).inSeconds
    }

    /// The minimum time, in seconds, that anything equal in both pictures has been unchanged.
    var window: Double { (later.time - earlier.time).inSeconds }

    /// The same, in which each wait is taken to have no potential waker unless a search has found
    /// one.
    var withoutHope: Comparison {
        Comparison(self, later, isHopeless: true, hope: hope)
    }

    /// The same with the results of searches since; nothing compared has changed.
    func with(holdersOf picture: Picture) -> Comparison {
        var later = later
        later.holders = picture.holders
        later.gaps = picture.gaps
        later.isSearchLate = picture.isSearchLate
        return Comparison(self, later, isHopeless: isHopeless, hope: hope)
    }

    private static func table<Value, Key: Hashable>(
        _ values: [Value], _ key: KeyPath<Value, Key>
    ) -> [Key: Value] {
        Dictionary(values.map { ($0[keyPath: key], $0) }) { first, _ in first }
    }

    /// The names of those that are in both and have not moved.
    ///
    /// Most are in the same order in both, so that they are not looked for: of tens of thousands of tasks
    /// that would take longer than comparing them.
    private static func same<Value, Key: Hashable>(
        _ earlier: [Value], _ later: [Value], by key: (Value) -> Key,
        _ hasNotMoved: (Value, Value) -> Bool
    ) -> Set<Key> {
        var same = Set<Key>(minimumCapacity: later.count)
        var places: FactTable<Key, Value>?
        var next = 0
        for now in later {
            let name = key(now)
            let index: Int
            if next < earlier.count, key(earlier[next]) == name {
                index = next
            } else {
                let known = places ?? FactTable(earlier, by: key)
                places = known
                guard let found = known.index(of: name) else { continue }
                index = found
            }
            next = index + 1
            if hasNotMoved(now, earlier[index]) { same.insert(name) }
        }
        return same
    }
}

extension ThreadFacts {
    fileprivate var isInOperation: Bool {
        stack.contains {
            $0.isMethod(of: "Operation") || $0.isMethod(of: "BlockOperation")
        }
    }

    fileprivate func hasNotMoved(since was: ThreadFacts) -> Bool {
        guard case .waiting(let before) = was.state, case .waiting(let now) = state,
            before.number == now.number,
            before.arguments.prefix(4) == now.arguments.prefix(4), was.wait == wait
        else { return false }
        if let first = was.switches, let second = switches { return first == second }
        return was.processorTime == processorTime
    }
}

extension QueueFacts {
    func hasNotMoved(since was: QueueFacts) -> Bool {
        guard was.owner == owner, was.suspendCount == suspendCount,
            was.isInBarrier == isInBarrier, let waited = was.waiting, let waits = waiting,
            waits >= waited
        else { return false }
        return was.items.first?.address == items.first?.address
    }
}

extension TaskFacts {
    fileprivate func hasNotMoved(since was: TaskFacts) -> Bool {
        was.id == id && was.state == state && was.waitsFor == waitsFor && was.frames == frames
            && was.mark == mark
    }
}

extension Duration {
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

/// Facts of a picture by their keys, without a copy of them: of two with the same key, the first.
struct FactTable<Key: Hashable, Facts> {
    private let all: [Facts]
    private var indices: [Key: Int]

    init(_ all: [Facts], by key: (Facts) -> Key) {
        self.all = all
        indices = Dictionary(minimumCapacity: all.count)
        for index in all.indices.reversed() { indices[key(all[index])] = index }
    }

    func index(of key: Key) -> Int? { indices[key] }

    subscript(key: Key) -> Facts? { indices[key].map { all[$0] } }
}

extension FactTable: Sendable where Key: Sendable, Facts: Sendable {}
#endif
