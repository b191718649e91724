#if TELLTALE_COMPILED
extension StuckAnswer {
    /// Something that waits or is waited for.
    public struct Subject: Codable, Sendable, Hashable {
        /// The kind of party. A pool is the threads of a root queue, or of a concurrent queue of
        /// limited width; `other` is a kind of a newer agent that is not known here.
        public enum Kind: String, Codable, Sendable {
            case thread, queue, pool, lock, semaphore, group, condition, task, actor, operation
            case eventLoop, other

            /// Reads it; one that isn't known is `other`.
            public init(from decoder: any Decoder) throws {
                self = Kind(rawValue: try String(from: decoder)) ?? .other
            }
        }

        /// The kind of party.
        public var kind: Kind
        /// The party's name: `thread 4251`, `com.telltale.photos`, `task #12 refresh`.
        public var name: String

        package init(_ kind: Kind, _ name: String) {
            self.kind = kind
            self.name = name
        }
    }

    /// A party of a finding: its identity, its wait, and its location.
    public struct Party: Codable, Sendable, Equatable {
        /// Who.
        public var subject: Subject
        /// The queue, the task or the actor that it works for.
        public var on: Subject?
        /// The wait, or the activity instead of one.
        @IfKnown public var state: State?
        /// A task or an operation that was cancelled.
        public var isCancelled = false
        /// The number of threads or tasks at the same location, represented by this one.
        public var count: Int?
        /// The host's innermost function in its stack, or the function of an item; module and offset
        /// where it has no name.
        public var function: String?
        /// The module of a package and its function that this one has called, and in which a task
        /// waits: `NIOCore next()`.
        public var waitsIn: String?
        /// A task that has no function of the host's own on its stack.
        public var isForeign: Bool?
        /// The source file of that function.
        public var file: String?
        /// The line where it is.
        public var line: Int?
        /// The thread's id; of a queue, the thread that drains it.
        public var thread: Int32?
        /// The name that the service has given its thread; `nil` for none.
        public var threadName: String?
        /// Its stack, innermost first.
        public var frames: [StackFrame] = []
        /// The reason that there are no frames, or that they end early.
        public var gap: String?

        package init(_ subject: Subject, on: Subject? = nil, _ state: State? = nil) {
            self.subject = subject
            self.on = on
            self.state = state
        }
    }

    /// The wait of a party, or its activity instead of one.
    public enum State: Codable, Sendable, Equatable {
        /// It waits for something of this process.
        case waits(for: Subject, Detail?)
        /// It waits for input, output or an event in a system call.
        case event(call: String)
        /// A system call about which nothing else is known.
        case call(name: String)
        /// It uses a core, or could; waits for work; is in a timed wait or sleeps; has ended.
        case runs, idle, time, ended
        /// A thread waits for operations to finish.
        case operations
        /// A task awaits its child tasks.
        case children(count: Int)
        /// A task waits for its continuation to be resumed; is suspended, and nothing says why.
        case continuation, suspended
        /// So many items wait on a queue, which may be held.
        case items(count: Int, hold: Hold?)
        /// So many tasks wait for an actor.
        case jobs(count: Int)
        /// An operation waits for the first of its dependencies.
        case dependencies(names: [String])
        /// The progress of an operation, and the reason it can't start.
        case operation(progress: String, lacks: Lack?)
        /// So many of an event loop's descriptors have something, of so many that it watches.
        case eventLoop(ready: Int, of: Int?, unread: [Unread])
    }

    /// Details of the object waited for.
    public enum Detail: Codable, Sendable, Equatable {
        /// The `sync` to a queue has a barrier.
        case barrier
        /// A lock's holder, which may have ended without releasing it.
        case held(by: String, hasEnded: Bool)
        /// A read-write lock is held by readers, of whom the C library keeps the number alone.
        case heldByReaders
        /// A semaphore was made with one value and has another.
        case made(with: Int, now: Int)
        /// A group was entered so many times more than left.
        case entered(times: Int)
        /// A task's job is in the line of a pool of threads.
        case turn
    }

    /// The reason that no item of a queue begins.
    public enum Hold: Codable, Sendable, Equatable {
        /// It was never activated.
        case inactive
        /// It was suspended so many times more than resumed.
        case suspended(times: Int)
        /// A barrier waits for those that are in it.
        case barrier
    }

    /// The prerequisite an operation lacks to start: it is in no queue, or its queue is suspended.
    public enum Lack: String, Codable, Sendable { case queue, resumedQueue }
}
#endif
