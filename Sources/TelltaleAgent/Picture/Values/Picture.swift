#if TELLTALE_AGENT
/// The process as one capture saw it: what every command shows a part of, and what is judged.
///
/// It and all that it holds are plain values. They know no agent, read no memory and no clock, and can
/// be made by hand, so that what is judged of them is tested without a process; they could live in a
/// target of their own. A part that was not asked for is empty; what was asked for and could not be had
/// is among the ``gaps``.
struct Picture: Sendable {
    /// What can be captured by itself.
    struct Parts: OptionSet, Hashable, Sendable {
        let rawValue: Int

        static let threads = Parts(rawValue: 1 << 0)
        /// The stacks of threads.
        static let stacks = Parts(rawValue: 1 << 1)
        static let queues = Parts(rawValue: 1 << 2)
        static let groups = Parts(rawValue: 1 << 3)
        static let semaphores = Parts(rawValue: 1 << 4)
        static let timers = Parts(rawValue: 1 << 5)
        static let tasks = Parts(rawValue: 1 << 6)
        static let actors = Parts(rawValue: 1 << 7)
        static let operations = Parts(rawValue: 1 << 8)
        /// How often threads have run, who holds what they wait for, and what besides could wake one.
        static let waits = Parts(rawValue: 1 << 9)
        /// What a search of the memory finds.
        static let searched: Parts = [.queues, .groups, .semaphores, .timers, .tasks, .actors]
        static let all = Parts(rawValue: (1 << 10) - 1)
    }

    /// Something that is missing, and why.
    struct Gap: Sendable, Hashable {
        var parts: Parts
        /// A sentence.
        var reason: String
        /// Nothing at all is there of these parts.
        var isWhole = false
    }

    /// How many threads were seen running, and held for a moment so that their stacks could be read.
    struct Interruptions: Sendable, Hashable {
        var count = 0
        /// For how many nanoseconds one of them was held at most.
        var longest: UInt64 = 0
        /// How long the threads took, without their names.
        var took = Duration.zero
    }

    /// The moment, on the kernel's clock that never goes back.
    var time: Duration
    /// The same moment, in nanoseconds since 1970.
    var date: UInt64 = 0
    var parts: Parts = []

    /// The main thread first, then by id.
    var threads: [ThreadFacts] = []
    /// How the threads were had.
    var interruptions = Interruptions()
    /// The main queue first, then those that the host has shown, those that were found, and the
    /// global ones.
    var queues: [QueueFacts] = []
    /// Whether what waits, and what a queue does, could be read.
    var hasQueueItems = false
    var hasQueueStates = false
    var groups: [GroupFacts] = []
    var semaphores: [SemaphoreFacts] = []
    var timers: [TimerFacts] = []
    /// By their ids, which is the order in which they were made.
    var tasks: [TaskFacts] = []
    /// Those with jobs first, then by address.
    var actors: [ActorFacts] = []
    /// The operation queues that the host has shown, and the main thread's run loop.
    var operationQueues: [OperationQueueFacts] = []
    var runLoop: RunLoopFacts?
    /// The operations of those queues, and what they depend on.
    var operations: [PlacedOperation] = []
    /// The queues that clients of the agent have suspended.
    var heldByClients: Set<UInt> = []
    /// Something besides the threads could still wake somebody: a timer, a connection.
    var mayBeWoken: String?
    /// The names of frames of tasks, of functions behind waiting items and of timers' handlers, by
    /// address; added last.
    var names: [UInt: [ResolvedFrame]] = [:]
    /// The labels of queues by their address, with those that threads serve and nothing else is known of.
    var labels: [UInt: String] = [:]
    /// Tasks as they are called, `#12 refresh`, by their address.
    var taskTitles: [UInt: String] = [:]
    /// Executors as a line names them, `MainActor`, `Bank`, by their address.
    var executors: [UInt: String] = [:]
    var gaps: [Gap] = []
    /// The time was up before all had been captured.
    var isCut = false

    init(time: Duration) { self.time = time }

    /// What is missing from some parts, each sentence once.
    func notes(on parts: Parts) -> [String] {
        var seen: Set<String> = []
        return gaps.filter { !$0.parts.isDisjoint(with: parts) && seen.insert($0.reason).inserted }
            .map(\.reason)
    }

    /// Says what is missing from some parts.
    mutating func add(_ reasons: [String], to parts: Parts) {
        gaps += reasons.map { Gap(parts: parts, reason: $0) }
    }

    /// Why there is nothing of a part; nil where there is.
    func absence(of part: Parts) -> String? {
        gaps.first { $0.isWhole && $0.parts.contains(part) }?.reason
    }
}
#endif
