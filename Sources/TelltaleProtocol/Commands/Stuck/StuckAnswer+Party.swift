#if TELLTALE_COMPILED
extension StuckAnswer {
    /// Something that waits or is waited for.
    public struct Subject: Codable, Sendable, Hashable {
        /// What it is: a pool is the threads of a root queue, or of a concurrent queue of limited
        /// width; `other` is what a newer agent knows and this code doesn't.
        public enum Kind: String, Codable, Sendable {
            case thread, queue, pool, lock, semaphore, group, condition, task, actor, operation
            case other

            public init(from decoder: any Decoder) throws {
                self = Kind(rawValue: try String(from: decoder)) ?? .other
            }
        }

        /// What it is.
        public var kind: Kind
        /// What it is called: `thread 4251`, `com.telltale.photos`, `task #12 refresh`.
        public var name: String

        package init(_ kind: Kind, _ name: String) {
            self.kind = kind
            self.name = name
        }
    }

    /// One that takes part: who waits, for what, and where.
    public struct Party: Codable, Sendable, Equatable {
        /// Who.
        public var subject: Subject
        /// The queue, the task or the actor that it works for.
        public var on: Subject?
        /// What it waits for, or what it does instead.
        @IfKnown public var state: State?
        /// A task or an operation that was cancelled.
        public var isCancelled = false
        /// How many threads stand at the same place, of which this is one.
        public var count: Int?
        /// The host's innermost function in its stack, or the function of an item.
        public var function: String?
        /// The source file of that function.
        public var file: String?
        /// The line where it is.
        public var line: Int?
        /// The thread's id; of a queue, the thread that drains it.
        public var thread: Int32?
        /// Its stack, innermost first.
        public var frames: [StackFrame] = []
        /// Why there are no frames, or why they end early.
        public var gap: String?

        package init(_ subject: Subject, on: Subject? = nil, _ state: State? = nil) {
            self.subject = subject
            self.on = on
            self.state = state
        }
    }

    /// What a party waits for, or what it does instead.
    public enum State: Codable, Sendable, Equatable {
        // MARK: A thread

        /// It uses a core, or could.
        case runs
        /// It waits for work.
        case idle
        /// It waits for input, output or an event in a system call.
        case event(call: String)
        /// It waits for a time that will come.
        case time
        /// It is in a system call of which nothing else is known.
        case call(name: String)
        /// It has ended.
        case ended
        /// It is in `sync` to a queue.
        case sync(queue: String, isBarrier: Bool)
        /// It waits for a lock, whose holder may not be known.
        case lock(name: String, holder: Holder?)
        /// It waits for a semaphore, made with one value and now of another.
        case semaphore(address: String, original: Int?, value: Int?)
        /// It waits for a group that was entered so many times more than left.
        case group(address: String, outstanding: Int?)
        /// It waits for a condition variable.
        case condition(address: String)
        /// It waits for the end of another thread.
        case join(thread: Int32)
        /// It waits for operations to finish.
        case operations

        // MARK: A task

        /// It awaits another task.
        case value(of: String)
        /// It awaits its child tasks.
        case children(count: Int)
        /// It waits for its continuation to be resumed.
        case continuation
        /// It waits for its turn on an actor.
        case turn(on: String)
        /// It sleeps.
        case sleeps
        /// It is suspended, and nothing is known of why.
        case suspended

        // MARK: A queue, an actor, an operation

        /// So many items wait on a queue, which may be held.
        case items(count: Int, hold: Hold?)
        /// So many tasks wait for an actor.
        case jobs(count: Int)
        /// An operation waits for the first of its dependencies.
        case dependencies(names: [String])
        /// How far an operation is, and what it lacks to go on.
        case operation(progress: String, lacks: Lack?)
    }

    /// Who holds a lock.
    public struct Holder: Codable, Sendable, Equatable {
        /// The thread's id.
        public var thread: Int32
        /// It is the main thread.
        public var isMain: Bool
        /// It has ended without giving the lock back.
        public var hasEnded: Bool

        package init(thread: Int32, isMain: Bool, hasEnded: Bool) {
            self.thread = thread
            self.isMain = isMain
            self.hasEnded = hasEnded
        }
    }

    /// Why no item of a queue begins.
    public enum Hold: Codable, Sendable, Equatable {
        /// It was never activated.
        case inactive
        /// It was suspended so many times more than resumed.
        case suspended(times: Int)
        /// A barrier waits for those that are in it.
        case barrier
    }

    /// What an operation lacks to be started.
    public enum Lack: String, Codable, Sendable {
        /// It is in no queue.
        case queue
        /// Its queue is suspended.
        case resumedQueue
    }
}
#endif
