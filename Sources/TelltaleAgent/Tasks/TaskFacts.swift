#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// What the concurrency runtime's memory says of one task.
    struct TaskFacts: Sendable {
        enum State: Sendable { case running, enqueued, suspended }

        /// What a suspended or enqueued task waits for.
        enum Wait: Sendable, Hashable {
            case task(UInt)
            case group
            case continuation
            /// An actor or another executor, by its address.
            case executor(UInt)
            /// A timer of `Task.sleep`.
            case timer
        }

        var address: UInt
        var id: UInt64
        var name: String?
        var state: State
        var priority: UInt8
        var isCancelled: Bool
        var isChild: Bool
        var waitsFor: Wait?
        var parent: UInt?
        var children: [UInt]
        /// Where it goes on, then where its callers go on; innermost first.
        var frames: [RawFrame]
    }

    /// What the concurrency runtime's memory says of one default actor.
    struct ActorFacts: Sendable {
        enum State: Sendable { case idle, scheduled, running }

        var address: UInt
        var typeName: String
        var state: State
        /// The tasks whose jobs wait for it, in the order in which they came in.
        var jobs: [UInt]
        /// The list was cut or moved.
        var note: String?
    }
#endif
