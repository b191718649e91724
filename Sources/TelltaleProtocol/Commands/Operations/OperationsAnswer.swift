#if TELLTALE_COMPILED
/// What `operations` answers: operation queues, and the main thread's run loop.
public struct OperationsAnswer: CommandAnswer {
    package static let kind = "operations"

    /// One operation.
    public struct Operation: Codable, Sendable, Equatable {
        /// Its name, or its type where it has none.
        public var name: String
        /// Its type.
        public var type: String
        /// `waiting` (for dependencies), `ready`, `executing` or `finished`.
        public var state: String
        /// It was cancelled.
        public var isCancelled: Bool
        /// What it waits for, with the state of each: `decode 7 (cancelled, not finished)`.
        public var dependencies: [String]
        /// Its address, hexadecimal with `0x`, as `cancel operation` takes it.
        public var address: String?
        /// Its priority in the queue, where it is not the usual one.
        public var priority: String?

        package init(
            name: String, type: String, state: String, isCancelled: Bool = false,
            dependencies: [String] = [], address: String? = nil, priority: String? = nil
        ) {
            self.name = name
            self.type = type
            self.state = state
            self.isCancelled = isCancelled
            self.dependencies = dependencies
            self.address = address
            self.priority = priority
        }
    }

    /// One operation queue.
    public struct Queue: Codable, Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its operations, in order.
        public var operations: [Operation]
        /// How many more it has.
        public var omitted: Int?
        /// It starts nothing.
        public var isSuspended: Bool
        /// How many it runs at once; nil where the system decides.
        public var maximumConcurrent: Int?
        /// The label of the dispatch queue below it.
        public var underlying: String?

        package init(
            name: String, operations: [Operation], omitted: Int? = nil,
            isSuspended: Bool = false, maximumConcurrent: Int? = nil, underlying: String? = nil
        ) {
            self.name = name
            self.operations = operations
            self.omitted = omitted
            self.isSuspended = isSuspended
            self.maximumConcurrent = maximumConcurrent
            self.underlying = underlying
        }
    }

    /// The main thread's run loop.
    public struct RunLoop: Codable, Sendable, Equatable {
        /// It waits for something to do.
        public var isWaiting: Bool
        /// The mode that it runs in.
        public var mode: String?
        /// Its timers, with when they fire next.
        public var timers: [String]
        /// How many sources it listens to.
        public var sources: Int?

        package init(
            isWaiting: Bool, mode: String? = nil, timers: [String] = [], sources: Int? = nil
        ) {
            self.isWaiting = isWaiting
            self.mode = mode
            self.timers = timers
            self.sources = sources
        }
    }

    /// The queues, in the order of their registration.
    public var queues: [Queue]
    /// The main thread's run loop; nil where it has none.
    public var runLoop: RunLoop?
    /// What could not be had, and why.
    public var notes: [String]

    package init(queues: [Queue], runLoop: RunLoop? = nil, notes: [String] = []) {
        self.queues = queues
        self.runLoop = runLoop
        self.notes = notes
    }
}
#endif
