/// What is told to a handler of `Telltale.on(_:queue:_:)`.
public struct SignalReport: Sendable, Equatable {
    /// Which debugger is attached.
    public struct Tracer: Sendable, Equatable {
        /// Its process id.
        public var pid: Int32
        /// The name of its program, where it can be read.
        public var name: String?
    }

    /// For how long the process was stopped, as far as it can be known from within.
    public struct Pause: Sendable, Equatable {
        /// It was stopped for at least this long.
        public var atLeast: Duration
        /// It was stopped for at most this long.
        public var atMost: Duration
        /// What stopped it: `SIGSTOP or SIGTSTP`, `a debugger`, `the machine slept`, …
        public var cause: String
    }

    /// The signal that the handler was registered for.
    public var signal: SignalName
    /// How many have come since the last call, as far as the kernel told them apart: bursts of standard
    /// signals are merged there, so this is a least number.
    public var count: Int
    /// The process that sent the last one; 0 where the kernel did.
    public var senderPID: Int32 = 0
    /// The user that sent the last one.
    public var senderUID: UInt32 = 0
    /// The debugger that is attached at this moment.
    public var tracer: Tracer?
    /// The pause that has just ended, for ``SignalName/continue`` and ``SignalName/stop``.
    public var pause: Pause?
}
