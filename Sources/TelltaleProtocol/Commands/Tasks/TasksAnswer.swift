#if TELLTALE_COMPILED
/// What `tasks` answers. The tree is flat: each task names its parent.
public struct TasksAnswer: Codable, Sendable, Equatable {
    /// One Swift task.
    public struct Entry: Codable, Sendable, Equatable {
        /// The runtime's number of it.
        public var id: UInt64
        /// Its name, where it was given one.
        public var name: String?
        /// `running`, `enqueued` or `suspended`.
        public var state: String
        /// Its priority, as the runtime counts: 25 is user-initiated, 17 utility.
        public var priority: Int
        /// It was cancelled.
        public var isCancelled: Bool
        /// A child task, of a group or an `async let`.
        public var isChild: Bool
        /// What it waits for: `task #8`, `group`, `continuation`, `actor Bank`, `timer`.
        public var waitsFor: String?
        /// The id of its parent.
        public var parent: UInt64?
        /// The thread that runs it.
        public var thread: Int32?
        /// Where it goes on, then where its callers go on.
        public var frames: [StackFrame]
        /// Its address, hexadecimal with `0x`.
        public var address: String?
        /// What else is to be known.
        public var note: String?

        /// Makes one.
        ///
        /// - Parameters:
        ///   - id: The runtime's number of it.
        ///   - name: Its name, where it was given one.
        ///   - state: `running`, `enqueued` or `suspended`.
        ///   - priority: Its priority, as the runtime counts: 25 is user-initiated, 17
        ///     utility.
        ///   - isCancelled: It was cancelled.
        ///   - isChild: A child task, of a group or an `async let`.
        ///   - waitsFor: What it waits for: `task #8`, `group`, `continuation`, `actor Bank`,
        ///     `timer`.
        ///   - parent: The id of its parent.
        ///   - thread: The thread that runs it.
        ///   - frames: Where it goes on, then where its callers go on.
        ///   - address: Its address, hexadecimal with `0x`.
        ///   - note: What else is to be known.
        public init(
            id: UInt64, name: String? = nil, state: String, priority: Int,
            isCancelled: Bool = false, isChild: Bool = false, waitsFor: String? = nil,
            parent: UInt64? = nil, thread: Int32? = nil, frames: [StackFrame] = [],
            address: String? = nil, note: String? = nil
        ) {
            self.id = id
            self.name = name
            self.state = state
            self.priority = priority
            self.isCancelled = isCancelled
            self.isChild = isChild
            self.waitsFor = waitsFor
            self.parent = parent
            self.thread = thread
            self.frames = frames
            self.address = address
            self.note = note
        }
    }

    /// The tasks, by id.
    public var tasks: [Entry]
    /// How many more there are.
    public var omitted: Int?
    /// It was asked for with all stacks.
    public var isFull: Bool
    /// What could not be had, and why.
    public var notes: [String]

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - tasks: The tasks, by id.
    ///   - omitted: How many more there are.
    ///   - isFull: It was asked for with all stacks.
    ///   - notes: What could not be had, and why.
    public init(
        tasks: [Entry], omitted: Int? = nil, isFull: Bool = false, notes: [String] = []
    ) {
        self.tasks = tasks
        self.omitted = omitted
        self.isFull = isFull
        self.notes = notes
    }
}
#endif
