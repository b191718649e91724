#if TELLTALE_AGENT
/// What the concurrency runtime's memory says of one task.
struct TaskFacts: Sendable {
    enum State: Sendable { case running, enqueued, suspended }

    /// What a suspended or enqueued task waits for.
    enum Wait: Sendable, Hashable {
        case task(UInt)
        case group
        case continuation
        /// An actor or another executor, by its address; 0 is the thread pool.
        case executor(UInt)
        /// A timer of `Task.sleep`.
        case timer
    }

    /// How it came to be.
    enum Kind: Sendable { case plain, groupChild, asyncLet }

    var address: UInt
    var id: UInt64
    var name: String?
    var kind: Kind
    var state: State
    /// As the runtime numbers it.
    var priority: UInt8
    var isCancelled: Bool
    var isChild: Bool
    /// It has been made and has not run yet.
    var isUnstarted: Bool
    var waitsFor: Wait?
    /// The executor that it prefers.
    var preferredExecutor: UInt?
    var parent: UInt?
    /// In the order in which they were made.
    var children: [UInt]
    /// Where it goes on, then where its callers go on; innermost first. None of a running task:
    /// its thread has them.
    var frames: [RawFrame]
    /// There are more frames than are kept.
    var areFramesCut: Bool
    /// It changed at each of several looks; what it waits for and its frames were not had.
    var isMoving: Bool
}

/// What the concurrency runtime's memory says of one actor.
struct ActorFacts: Sendable {
    enum State: Sendable {
        case idle, scheduled, running
        /// It has an executor of its own, which keeps its jobs: what is shown are the tasks that
        /// say that they wait for it.
        case custom
    }

    var address: UInt
    var typeName: String
    var state: State
    /// The tasks whose jobs wait for it, in the order in which they will run.
    var jobs: [UInt]
    /// How many jobs wait for it, those with them that are no tasks.
    var waiting: Int
    /// The task that runs on it, where one is known.
    var runs: UInt?
    /// The list was cut or moved.
    var note: String?

    /// The same without the jobs of some tasks.
    func without(_ tasks: Set<UInt>) -> ActorFacts {
        guard !tasks.isEmpty else { return self }
        var facts = self
        facts.jobs.removeAll { tasks.contains($0) }
        facts.waiting -= jobs.count - facts.jobs.count
        return facts
    }
}
#endif
