#if TELLTALE_AGENT
/// The state of one task in the concurrency runtime's memory.
package struct TaskFacts: Sendable {
    package enum State: Sendable { case running, enqueued, suspended }

    package enum Wait: Sendable, Hashable {
        case task(UInt)
        case group
        case continuation
        /// An actor or another executor, by its address; 0 is the thread pool.
        case executor(UInt)
        /// A timer of `Task.sleep`.
        case timer
    }

    /// The way it was created.
    package enum Kind: Sendable { case plain, groupChild, asyncLet }

    package var address: UInt
    package var id: UInt64
    package var name: String?
    package var kind = Kind.plain
    package var state = State.suspended
    /// As the runtime numbers it.
    package var priority: UInt8 = 0
    package var isCancelled = false
    package var isChild = false
    /// Indicates that it is inside of `withTaskCancellationHandler`: cancelling it runs code of the
    /// service, which may end its wait.
    package var hasCancellationHandler = false
    /// It has been made and has not run yet.
    package var isUnstarted = false
    package var waitsFor: Wait?
    /// The executor that it prefers.
    package var preferredExecutor: UInt?
    package var parent: UInt?
    /// In the order in which they were made.
    package var children: [UInt] = []
    /// The resume location of the task, then those of its callers; innermost first. Empty for a
    /// running task: its thread has them.
    package var frames: [RawFrame] = []
    /// There are more frames than are kept.
    package var areFramesCut = false
    /// A hash of the contexts of its innermost functions while it waits for a continuation. A
    /// different value means that the task has run meanwhile, even if it waits at the same location
    /// again.
    package var mark = 0
    /// Indicates that it changed at each of several reads; its wait and its frames are not
    /// available.
    package var isMoving = false

    package init(address: UInt, id: UInt64) {
        self.address = address
        self.id = id
    }
}

/// The state of one actor in the concurrency runtime's memory.
package struct ActorFacts: Sendable {
    package enum State: Sendable {
        case idle, scheduled, running
        /// Has an executor of its own, which keeps its jobs: the tasks shown are those that report
        /// to wait for it.
        case custom
    }

    package var address: UInt
    package var typeName: String
    package var state = State.idle
    /// The tasks whose jobs wait for it, in the order in which they will run.
    package var jobs: [UInt] = []
    /// The number of waiting jobs, including those that are not tasks.
    package var waiting = 0
    /// The task that runs on it, where one is known.
    package var runs: UInt?
    /// The list was cut or moved.
    package var note: String?

    package init(address: UInt, typeName: String) {
        self.address = address
        self.typeName = typeName
    }

    /// The same without the jobs of some tasks.
    package func without(_ tasks: Set<UInt>) -> ActorFacts {
        guard !tasks.isEmpty else { return self }
        var facts = self
        facts.jobs.removeAll { tasks.contains($0) }
        facts.waiting -= jobs.count - facts.jobs.count
        return facts
    }
}
#endif
