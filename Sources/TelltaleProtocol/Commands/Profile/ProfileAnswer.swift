#if TELLTALE_COMPILED
/// The answer to `profile`: the stacks that were seen, with their times.
public struct ProfileAnswer: CommandAnswer {
    package static let kind = "profile"

    /// A function at a line, as a frame of one or several stacks.
    public struct Frame: Codable, Sendable, Hashable {
        /// The function, or its position in its module.
        public var function: String
        /// The file name of the executable or the library.
        public var module: String?
        /// The source file, as the debug information has it.
        public var file: String?
        /// The line in it.
        public var line: Int?
        /// Indicates the service's own code, or that of its packages.
        public var isHosts: Bool

        package init(
            function: String, module: String? = nil, file: String? = nil, line: Int? = nil,
            isHosts: Bool = false
        ) {
            self.function = function
            self.module = module
            self.file = file
            self.line = line
            self.isHosts = isHosts
        }
    }

    /// A stack, and the time for which threads had it.
    public struct Stack: Codable, Sendable, Equatable {
        /// The indices of its frames, innermost first.
        public var frames: [Int]
        /// The queue, or the thread where it serves none.
        public var origin: String
        /// Nanoseconds on a core.
        public var cpu: Int
        /// Nanoseconds off the core.
        public var offCore: Int
        /// Nanoseconds for which it could run and had no core.
        public var ready: Int
        /// The number of times that it was seen.
        public var samples: Int
        /// The wait: `lock`, `read`; nil of one that ran.
        public var wait: String?
        /// Indicates a wait for work, or of an event loop.
        public var isIdle: Bool?

        package init(
            frames: [Int], origin: String, cpu: Int = 0, offCore: Int = 0, ready: Int = 0,
            samples: Int = 0, wait: String? = nil, isIdle: Bool? = nil
        ) {
            self.frames = frames
            self.origin = origin
            self.cpu = cpu
            self.offCore = offCore
            self.ready = ready
            self.samples = samples
            self.wait = wait
            self.isIdle = isIdle
        }
    }

    /// The length in seconds.
    public var seconds: Double
    /// The looks per second that were asked for.
    public var rate: Int
    /// The number of looks.
    public var looks: Int
    /// The number of threads that were seen.
    public var threads: Int
    /// The number of cores of the machine.
    public var cores: Int
    /// The processor time of the service's threads, in seconds, by the kernel's clocks.
    public var cpuSeconds: Double
    /// All frames.
    public var frames: [Frame]
    /// All stacks.
    public var stacks: [Stack]
    /// Seconds of stacks beyond the bound, which are not among these.
    public var droppedSeconds: Double?
    /// System calls that a stop of their thread ended with EINTR.
    public var endedCalls: Int?
    /// The time that the file shows: `cpu`, `wall`, `offCore`.
    public var time: String?
    /// The file that the client wrote.
    public var file: String?
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(seconds: Double, rate: Int, frames: [Frame], stacks: [Stack]) {
        self.seconds = seconds
        self.rate = rate
        self.frames = frames
        self.stacks = stacks
        looks = 0
        threads = 0
        cores = 1
        cpuSeconds = 0
        notes = []
    }

    /// The nanoseconds of a stack that a picture shows.
    package func value(of stack: Stack) -> Int {
        switch time {
        case "wall": stack.cpu &+ stack.offCore &+ stack.ready
        case "offCore": stack.offCore
        default: stack.cpu
        }
    }

    /// The depth of a stack that is shown: more than an agent sends, and less than a flame graph can be nested.
    private static let mostFrames = 4096

    /// The frames of a stack, innermost first; an index that is out of bounds is left out.
    package func frames(of stack: Stack) -> [Frame] {
        stack.frames.prefix(Self.mostFrames).compactMap {
            frames.indices.contains($0) ? frames[$0] : nil
        }
    }

    /// A stack as words, outermost first: where it comes from, its functions, its wait.
    package func path(of stack: Stack) -> [String] {
        [stack.origin] + frames(of: stack).reversed().map(\.function)
            + (stack.wait.map { ["[\($0)]"] } ?? [])
    }
}
#endif
