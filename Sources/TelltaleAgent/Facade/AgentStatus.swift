/// What came of starting the agent, and how it is now.
public struct AgentStatus: Sendable, Equatable {
    /// What the agent is doing.
    public struct State: RawRepresentable, Sendable, Hashable {
        /// The state's name.
        public var rawValue: String
        /// Makes a state from its name.
        ///
        /// - Parameter rawValue: The state's name.
        @inlinable public init(rawValue: String) { self.rawValue = rawValue }
        /// This build has no agent: a release build without the trait `AgentInRelease`.
        public static let notBuilt = State(rawValue: "not built")
        /// `TELLTALE=0` in the environment.
        public static let switchedOff = State(rawValue: "switched off")
        /// `start()` has not been called, or `stop()` has.
        public static let stopped = State(rawValue: "stopped")
        /// Another thread has been inside `start()` or `stop()` for three seconds; `Telltale.status`
        /// tells later what came of it.
        public static let starting = State(rawValue: "starting")
        /// It runs; ``AgentStatus/problems`` tells of parts that could not be had.
        public static let running = State(rawValue: "running")
        /// It could not be started; ``AgentStatus/problems`` tells why. The host goes on without.
        public static let failed = State(rawValue: "failed")
    }

    /// What the agent is doing.
    public var state: State
    /// The path of its socket, while it listens.
    public var socketPath: String?
    /// What went wrong or is not as asked for, a sentence each; empty when all is well.
    public var problems: [String]

    @inlinable init(state: State, socketPath: String? = nil, problems: [String] = []) {
        self.state = state
        self.socketPath = socketPath
        self.problems = problems
    }

    /// Whether it runs.
    public var isRunning: Bool { state == .running }
}
