#if TELLTALE_COMPILED
/// `tasks`: every Swift task, its wait and its resume location.
package enum TasksCommand: Command {
    /// The parameters of `tasks`.
    package struct Parameters: JSONCodable {
        /// With the whole stack of each.
        package var full: Bool?
        /// With a row for each, also of those that are alike.
        package var all: Bool?
    }

    package typealias Answer = TasksAnswer

    package static let description = CommandDescription(
        "tasks [--full] [--all]", "Swift tasks: state, what each waits for",
        detail: """
            Every live task, children below their parents, with the innermost function of the service's
            own, and what that waits in. Those that are alike share a row: ×48.
            --full    with the whole stack of each: its callers too
            --all     with a row for each
            """)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        Parameters(full: arguments.flag("--full"), all: arguments.flag("--all"))
    }
}

/// The answer to `tasks`. The tree is flat: each task names its parent.
public struct TasksAnswer: CommandAnswer, MemberCoded {
    package static let kind = "tasks"

    /// A Swift task.
    public struct Entry: MemberCoded {
        /// The runtime's number of it.
        public var id: UInt64
        /// Its name, where it was given one.
        public var name: String?
        /// `running`, `enqueued` or `suspended`.
        public var state: String
        /// Its priority, as the runtime counts: 25 is user-initiated, 17 utility.
        public var priority: Int
        /// It was cancelled.
        public var isCancelled = false
        /// A child task, of a group or an `async let`.
        public var isChild = false
        /// The object it waits for: `task #8`, `group`, `continuation`, `actor Bank`, `timer`.
        public var waitsFor: String?
        /// The module of a package and its function that the service's own has called, and in which it
        /// waits: `NIOCore next()`. Nil if it waits in its own.
        public var waitsIn: String?
        /// The id of its parent.
        public var parent: UInt64?
        /// The thread that runs it.
        public var thread: Int32?
        /// The resume location: the innermost function of the service's own, or, without one, of
        /// the package whose task it is. With all stacks also its callees and callers.
        public var frames: [StackFrame] = []
        /// Its address, hexadecimal with `0x`.
        public var address: String?
        /// A remark about this entry.
        public var note: String?
    }

    /// The tasks, by id.
    public var tasks: [Entry]
    /// The number of further tasks.
    public var omitted: Int?
    /// It was asked for with all stacks.
    public var isFull: Bool
    /// It was asked for with a row for each.
    public var isAll: Bool?
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(
        tasks: [Entry], omitted: Int? = nil, isFull: Bool = false, isAll: Bool? = nil,
        notes: [String] = []
    ) {
        self.tasks = tasks
        self.omitted = omitted
        self.isFull = isFull
        self.isAll = isAll
        self.notes = notes
    }

    /// An empty one, to be read into.
    public init() { self.init(tasks: []) }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("tasks", &tasks)
        coder.member("omitted", &omitted)
        coder.member("isFull", &isFull)
        coder.member("isAll", &isAll)
        coder.member("notes", &notes)
    }
}

extension TasksAnswer.Entry {
    /// An empty one, to be read into.
    public init() { self.init(id: 0, state: "", priority: 0) }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("id", &id)
        coder.member("name", &name)
        coder.member("state", &state)
        coder.member("priority", &priority)
        coder.member("isCancelled", &isCancelled)
        coder.member("isChild", &isChild)
        coder.member("waitsFor", &waitsFor)
        coder.member("waitsIn", &waitsIn)
        coder.member("parent", &parent)
        coder.member("thread", &thread)
        coder.member("frames", &frames)
        coder.member("address", &address)
        coder.member("note", &note)
    }
}
#endif
