#if TELLTALE_COMPILED
/// The parameters of `threads`.
public struct ThreadsParameters: Codable, Sendable, Equatable {
    /// Also the agent's own threads.
    public var all: Bool?

    /// Makes the parameters.
    ///
    /// - Parameter all: Also the agent's own threads.
    public init(all: Bool? = nil) {
        self.all = all
    }
}

/// The parameters of `stack`. Without any: all threads of the host.
public struct StackParameters: Codable, Sendable, Equatable {
    /// The ids of the threads; nil for all of the host's.
    public var threads: [Int32]?
    /// The main thread.
    public var main: Bool?
    /// Also the agent's own threads.
    public var all: Bool?
    /// Each thread by itself: the same stacks are not folded.
    public var full: Bool?

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - threads: The ids of the threads.
    ///   - main: The main thread.
    ///   - all: Also the agent's own threads.
    ///   - full: Each thread by itself: the same stacks are not folded.
    public init(
        threads: [Int32]? = nil, main: Bool? = nil, all: Bool? = nil, full: Bool? = nil
    ) {
        self.threads = threads
        self.main = main
        self.all = all
        self.full = full
    }
}

/// The parameters of `queues`.
public struct QueuesParameters: Codable, Sendable, Equatable {
    /// Also the global queues and those of the system.
    public var all: Bool?

    /// Makes the parameters.
    ///
    /// - Parameter all: Also the global queues and those of the system.
    public init(all: Bool? = nil) {
        self.all = all
    }
}

/// The parameters of `queue`.
public struct QueueParameters: Codable, Sendable, Equatable {
    /// The queue's label, the end of it where that is enough, or its address.
    public var name: String
    /// How many items are shown; nil for the agent's default.
    public var limit: Int?

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - name: The queue's label, the end of it where that is enough, or its address.
    ///   - limit: How many items are shown.
    public init(name: String, limit: Int? = nil) {
        self.name = name
        self.limit = limit
    }
}

/// The parameters of `groups`, `semaphores`, `timers` and `actors`.
public struct KindParameters: Codable, Sendable, Equatable {
    /// Also those that are idle.
    public var all: Bool?

    /// Makes the parameters.
    ///
    /// - Parameter all: Also those that are idle.
    public init(all: Bool? = nil) {
        self.all = all
    }
}

/// The parameters of `tasks`.
public struct TasksParameters: Codable, Sendable, Equatable {
    /// With the whole stack of each.
    public var full: Bool?

    /// Makes the parameters.
    ///
    /// - Parameter full: With the whole stack of each.
    public init(full: Bool? = nil) {
        self.full = full
    }
}

/// The parameters of `suspend` and `resume`.
public struct SuspendParameters: Codable, Sendable, Equatable {
    /// The queue's label, the end of it where that is enough, or its address.
    public var queue: String

    /// Makes the parameters.
    ///
    /// - Parameter queue: The queue's label, the end of it where that is enough, or its
    /// address.
    public init(queue: String) {
        self.queue = queue
    }
}

/// The parameters of `cancel`.
public struct CancelParameters: Codable, Sendable, Equatable {
    /// `task`, `operation` or `item`.
    public var kind: String
    /// The task's number, the operation's name or address, the item's address.
    public var id: String
    /// The queue of an item.
    public var queue: String?

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - kind: `task`, `operation` or `item`.
    ///   - id: The task's number, the operation's name or address, the item's address.
    ///   - queue: The queue of an item.
    public init(kind: String, id: String, queue: String? = nil) {
        self.kind = kind
        self.id = id
        self.queue = queue
    }
}

/// The parameters of `watch`.
public struct WatchParameters: Codable, Sendable, Equatable {
    /// What is watched: `stuck`.
    public var what: String
    /// How long nothing may move before a dump is written, in seconds; nil for the
    /// configuration's.
    public var everySeconds: Double?
    /// Ends the watch.
    public var off: Bool?

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - what: What is watched: `stuck`.
    ///   - everySeconds: How long nothing may move before a dump is written, in seconds.
    ///   - off: Ends the watch.
    public init(what: String, everySeconds: Double? = nil, off: Bool? = nil) {
        self.what = what
        self.everySeconds = everySeconds
        self.off = off
    }
}
#endif
