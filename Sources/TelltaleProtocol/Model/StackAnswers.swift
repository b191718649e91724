#if TELLTALE_COMPILED
/// One frame of a stack. An address in inlined code gives several, innermost first.
public struct StackFrame: Codable, Sendable, Equatable {
    /// The function as Swift or C spells it; nil where no symbol covers the address.
    public var function: String?
    /// The file name of the executable or the library.
    public var module: String?
    /// The source file, as the debug information spells it; nil without one.
    public var file: String?
    /// The line in it.
    public var line: Int?
    /// The address, hexadecimal with `0x`.
    public var address: String
    /// The function was inlined into the next one.
    public var isInlined: Bool
    /// Not on the thread's stack: where a suspended async function goes on.
    public var isAsync: Bool

    /// Makes one.
    ///
    /// - Parameters:
    ///   - function: The function as Swift or C spells it.
    ///   - module: The file name of the executable or the library.
    ///   - file: The source file, as the debug information spells it.
    ///   - line: The line in it.
    ///   - address: The address, hexadecimal with `0x`.
    ///   - isInlined: The function was inlined into the next one.
    ///   - isAsync: Not on the thread's stack: where a suspended async function goes on.
    public init(
        function: String? = nil, module: String? = nil, file: String? = nil, line: Int? = nil,
        address: String, isInlined: Bool = false, isAsync: Bool = false
    ) {
        self.function = function
        self.module = module
        self.file = file
        self.line = line
        self.address = address
        self.isInlined = isInlined
        self.isAsync = isAsync
    }
}

/// One thread.
public struct ThreadEntry: Codable, Sendable, Equatable {
    /// The kernel's id, as `stack` takes it.
    public var id: Int32
    /// The kernel's name of it, at most 15 bytes.
    public var name: String
    /// `running`, `waiting`, `stopped` or `unknown`.
    public var state: String
    /// The system call that it waits in: `futex`, `epoll_wait`.
    public var call: String?
    /// The label of the dispatch queue whose items it runs.
    public var queue: String?
    /// The Swift task that it runs: `#12`, `#12 refresh`.
    public var task: String?
    /// Processor time used since it began, in seconds.
    public var cpuSeconds: Double
    /// The main thread.
    public var isMain: Bool
    /// One of the agent's own.
    public var isAgent: Bool
    /// What else is to be known: why its state could not be had.
    public var note: String?

    /// Makes one.
    ///
    /// - Parameters:
    ///   - id: The kernel's id, as `stack` takes it.
    ///   - name: The kernel's name of it, at most 15 bytes.
    ///   - state: `running`, `waiting`, `stopped` or `unknown`.
    ///   - call: The system call that it waits in: `futex`, `epoll_wait`.
    ///   - queue: The label of the dispatch queue whose items it runs.
    ///   - task: The Swift task that it runs: `#12`, `#12 refresh`.
    ///   - cpuSeconds: Processor time used since it began, in seconds.
    ///   - isMain: The main thread.
    ///   - isAgent: One of the agent's own.
    ///   - note: What else is to be known: why its state could not be had.
    public init(
        id: Int32, name: String, state: String, call: String? = nil, queue: String? = nil,
        task: String? = nil, cpuSeconds: Double, isMain: Bool = false, isAgent: Bool = false,
        note: String? = nil
    ) {
        self.id = id
        self.name = name
        self.state = state
        self.call = call
        self.queue = queue
        self.task = task
        self.cpuSeconds = cpuSeconds
        self.isMain = isMain
        self.isAgent = isAgent
        self.note = note
    }
}

/// What `threads` answers.
public struct ThreadsAnswer: Codable, Sendable, Equatable {
    /// The threads: main first, then by id.
    public var threads: [ThreadEntry]
    /// How many of the agent's own were left out.
    public var agentThreads: Int
    /// What could not be had, and why: `queues are not available: …`.
    public var notes: [String]

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - threads: The threads: main first, then by id.
    ///   - agentThreads: How many of the agent's own were left out.
    ///   - notes: What could not be had, and why: `queues are not available: …`.
    public init(threads: [ThreadEntry], agentThreads: Int = 0, notes: [String] = []) {
        self.threads = threads
        self.agentThreads = agentThreads
        self.notes = notes
    }
}

/// What `stack` answers: threads whose stacks are the same stand together.
public struct StackAnswer: Codable, Sendable, Equatable {
    /// Threads with one stack.
    public struct Group: Codable, Sendable, Equatable {
        /// The threads.
        public var threads: [ThreadEntry]
        /// Innermost first.
        public var frames: [StackFrame]
        /// Why there are no frames, or why they end before the thread's entry.
        public var gap: String?

        /// Makes one.
        ///
        /// - Parameters:
        ///   - threads: The threads.
        ///   - frames: Innermost first.
        ///   - gap: Why there are no frames, or why they end before the thread's entry.
        public init(threads: [ThreadEntry], frames: [StackFrame], gap: String? = nil) {
            self.threads = threads
            self.frames = frames
            self.gap = gap
        }
    }

    /// The groups: the main thread's first, then the largest.
    public var groups: [Group]
    /// How many of the agent's own threads were left out.
    public var agentThreads: Int
    /// How many threads were seen running, and interrupted for some microseconds.
    public var interrupted: Int
    /// For how many nanoseconds one of these was held at most; 0 where there is none.
    public var longestHoldNanoseconds: Int
    /// How long the capture took, without the names.
    public var microseconds: Int
    /// What could not be had, and why.
    public var notes: [String]

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - groups: The groups: the main thread's first, then the largest.
    ///   - agentThreads: How many of the agent's own threads were left out.
    ///   - interrupted: How many threads were seen running, and interrupted for some
    ///     microseconds.
    ///   - longestHoldNanoseconds: For how long one of these was held at most.
    ///   - microseconds: How long the capture took, without the names.
    ///   - notes: What could not be had, and why.
    public init(
        groups: [Group], agentThreads: Int = 0, interrupted: Int = 0,
        longestHoldNanoseconds: Int = 0, microseconds: Int, notes: [String] = []
    ) {
        self.groups = groups
        self.agentThreads = agentThreads
        self.interrupted = interrupted
        self.longestHoldNanoseconds = longestHoldNanoseconds
        self.microseconds = microseconds
        self.notes = notes
    }
}
#endif
