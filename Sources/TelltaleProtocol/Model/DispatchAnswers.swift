#if TELLTALE_COMPILED
/// What `groups` answers.
public struct GroupsAnswer: Codable, Sendable, Equatable {
    /// One dispatch group.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its address, hexadecimal with `0x`.
        public var address: String
        /// The name under which it is observed.
        public var name: String?
        /// How many `enter`s have had no `leave` yet.
        public var outstanding: Int
        /// The threads that wait for it.
        public var waiters: [Int32]
        /// Somebody waits for it.
        public var hasWaiters: Bool
        /// Something is to run when it is empty.
        public var hasNotify: Bool
        /// The function that is to run then.
        public var notify: String?
        /// What else is to be known.
        public var note: String?

        /// Makes one.
        ///
        /// - Parameters:
        ///   - address: Its address, hexadecimal with `0x`.
        ///   - name: The name under which it is observed.
        ///   - outstanding: How many `enter`s have had no `leave` yet.
        ///   - waiters: The threads that wait for it.
        ///   - hasWaiters: Somebody waits for it.
        ///   - hasNotify: Something is to run when it is empty.
        ///   - notify: The function that is to run then.
        ///   - note: What else is to be known.
        public init(
            address: String, name: String? = nil, outstanding: Int, waiters: [Int32] = [],
            hasWaiters: Bool = false, hasNotify: Bool = false, notify: String? = nil,
            note: String? = nil
        ) {
            self.address = address
            self.name = name
            self.outstanding = outstanding
            self.waiters = waiters
            self.hasWaiters = hasWaiters
            self.hasNotify = hasNotify
            self.notify = notify
            self.note = note
        }
    }

    /// The groups; those with something outstanding first.
    public var groups: [Entry]
    /// How many idle ones were left out.
    public var hidden: Int?
    /// What could not be had, and why.
    public var notes: [String]

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - groups: The groups.
    ///   - hidden: How many idle ones were left out.
    ///   - notes: What could not be had, and why.
    public init(groups: [Entry], hidden: Int? = nil, notes: [String] = []) {
        self.groups = groups
        self.hidden = hidden
        self.notes = notes
    }
}

/// What `semaphores` answers.
public struct SemaphoresAnswer: Codable, Sendable, Equatable {
    /// One dispatch semaphore. It has no owner: anyone may signal it.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its address, hexadecimal with `0x`.
        public var address: String
        /// The name under which it is observed.
        public var name: String?
        /// Its value; below 0, so many threads wait.
        public var value: Int
        /// The value that it was made with.
        public var original: Int
        /// The threads that wait for it, as far as they are known.
        public var waiters: [Int32]
        /// What else is to be known.
        public var note: String?

        /// Makes one.
        ///
        /// - Parameters:
        ///   - address: Its address, hexadecimal with `0x`.
        ///   - name: The name under which it is observed.
        ///   - value: Its value.
        ///   - original: The value that it was made with.
        ///   - waiters: The threads that wait for it, as far as they are known.
        ///   - note: What else is to be known.
        public init(
            address: String, name: String? = nil, value: Int, original: Int,
            waiters: [Int32] = [], note: String? = nil
        ) {
            self.address = address
            self.name = name
            self.value = value
            self.original = original
            self.waiters = waiters
            self.note = note
        }
    }

    /// The semaphores; those with waiters first.
    public var semaphores: [Entry]
    /// How many without a waiter were left out.
    public var hidden: Int?
    /// What could not be had, and why.
    public var notes: [String]

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - semaphores: The semaphores.
    ///   - hidden: How many without a waiter were left out.
    ///   - notes: What could not be had, and why.
    public init(semaphores: [Entry], hidden: Int? = nil, notes: [String] = []) {
        self.semaphores = semaphores
        self.hidden = hidden
        self.notes = notes
    }
}

/// What `timers` answers.
public struct TimersAnswer: Codable, Sendable, Equatable {
    /// One timer: a dispatch source, an `asyncAfter`.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its address, hexadecimal with `0x`.
        public var address: String
        /// `timer` or `asyncAfter`.
        public var kind: String
        /// The label of the queue that its handler runs on.
        public var queue: String?
        /// Seconds until it fires; negative when it is overdue; nil where it is not armed.
        public var firesInSeconds: Double?
        /// Seconds between two firings; nil where it fires once.
        public var intervalSeconds: Double?
        /// The function that it runs.
        public var handler: String?
        /// The source file of the function.
        public var file: String?
        /// The line of it.
        public var line: Int?
        /// It was cancelled.
        public var isCancelled: Bool
        /// How many times it is suspended; a new timer is, until `resume`.
        public var suspendCount: Int

        /// Makes one.
        ///
        /// - Parameters:
        ///   - address: Its address, hexadecimal with `0x`.
        ///   - kind: `timer` or `asyncAfter`.
        ///   - queue: The label of the queue that its handler runs on.
        ///   - firesInSeconds: Seconds until it fires.
        ///   - intervalSeconds: Seconds between two firings.
        ///   - handler: The function that it runs.
        ///   - file: The source file of the function.
        ///   - line: The line of it.
        ///   - isCancelled: It was cancelled.
        ///   - suspendCount: How many times it is suspended.
        public init(
            address: String, kind: String, queue: String? = nil, firesInSeconds: Double? = nil,
            intervalSeconds: Double? = nil, handler: String? = nil, file: String? = nil,
            line: Int? = nil, isCancelled: Bool = false, suspendCount: Int = 0
        ) {
            self.address = address
            self.kind = kind
            self.queue = queue
            self.firesInSeconds = firesInSeconds
            self.intervalSeconds = intervalSeconds
            self.handler = handler
            self.file = file
            self.line = line
            self.isCancelled = isCancelled
            self.suspendCount = suspendCount
        }
    }

    /// The timers; the next to fire first.
    public var timers: [Entry]
    /// What could not be had, and why.
    public var notes: [String]

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - timers: The timers.
    ///   - notes: What could not be had, and why.
    public init(timers: [Entry], notes: [String] = []) {
        self.timers = timers
        self.notes = notes
    }
}
#endif
