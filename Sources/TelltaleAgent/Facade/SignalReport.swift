/// The argument of a handler of `Telltale.on(_:queue:_:)`.
public struct SignalReport: Sendable, Equatable {
    /// The debugger that is attached.
    public struct Tracer: Sendable, Equatable {
        /// The debugger's process id.
        public var pid: Int32
        /// The name of the debugger's program, if it can be read.
        public var name: String?
    }

    /// The length of time that the process was stopped, as far as it can be known from within.
    public struct Pause: Sendable, Equatable {
        /// The lower bound of the length.
        public var atLeast: Duration
        /// The upper bound of the length.
        public var atMost: Duration
        /// The cause: `SIGSTOP or SIGTSTP`, `a debugger`, `the machine slept`, …
        public var cause: String
    }

    /// The signal that the handler was registered for.
    public var signal: SignalName
    /// The number of signals since the last call. The kernel merges bursts of standard signals, so this is
    /// a lower bound.
    public var count: Int
    /// The process that sent the last signal; 0 if the kernel sent it.
    public var senderPID: Int32 = 0
    /// The user that sent the last signal.
    public var senderUID: UInt32 = 0
    /// The debugger that is attached at the time of the report.
    public var tracer: Tracer?
    /// The pause that has just ended, for ``SignalName/continue`` and ``SignalName/stop``.
    public var pause: Pause?
}
