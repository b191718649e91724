/// The result of starting the agent, and its current state.
public struct AgentStatus: Sendable, Equatable {
    /// A state of the agent.
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
        /// Another thread has been inside `start()` or `stop()` for three seconds; `Telltale.status` gives
        /// the result later.
        public static let starting = State(rawValue: "starting")
        /// The agent runs; ``AgentStatus/problems`` lists the parts that could not be set up.
        public static let running = State(rawValue: "running")
        /// The agent could not be started; ``AgentStatus/problems`` gives the reason. The host runs on
        /// without it.
        public static let failed = State(rawValue: "failed")
    }

    /// The agent's state.
    public var state: State
    /// The path of the agent's socket while it listens.
    public var socketPath: String?
    /// Failures and settings that could not be applied, one sentence each; empty if there are none.
    public var problems: [String]

    @inlinable init(state: State, socketPath: String? = nil, problems: [String] = []) {
        self.state = state
        self.socketPath = socketPath
        self.problems = problems
    }

    /// True while the agent runs.
    public var isRunning: Bool { state == .running }
}
