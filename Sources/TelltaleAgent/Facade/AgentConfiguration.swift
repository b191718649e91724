/// How the agent behaves: every bound, and which signals it uses.
///
/// The environment overrides what the program says; `EnvironmentTable` lists the variables.
public struct AgentConfiguration: Sendable {
    /// Whether clients may change anything.
    public struct Mode: RawRepresentable, Sendable, Hashable {
        /// `read-write` or `read-only`.
        public var rawValue: String
        /// Makes a mode from its name.
        ///
        /// - Parameter rawValue: `read-write` or `read-only`.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// `set`, `call` and `undo` work.
        public static let readWrite = Mode(rawValue: "read-write")
        /// `set`, `call` and `undo` are refused with exit status 4.
        public static let readOnly = Mode(rawValue: "read-only")
    }

    /// Where a dump that a signal asked for goes.
    public enum DumpOutput: Sendable {
        /// The process's standard error, at most ``standardErrorLines`` lines of each dump.
        case standardError
        /// A file of mode 0600; `{pid}`, `{name}`, `{id}` and `{time}` in the template are replaced.
        case file(template: String)
        /// A closure that takes the lines, for a log of the host's own. It runs on a thread of the
        /// agent's and is given up when it does not return within the dump's deadline.
        case lines(@Sendable ([String]) -> Void)
    }

    /// The service's name, as clients list it; nil for the name of the executable.
    public var name: String?
    /// The directory of the socket; nil for `$XDG_RUNTIME_DIR/telltale`, else `/tmp/telltale-UID`.
    public var directory: String?
    /// Whether clients may change anything; nil for read-write in DEBUG builds and read-only in
    /// release builds.
    public var mode: Mode?
    /// What is refused of what the mode allows, with exit status 4 and before anything is run: a command
    /// (`call`), `*` for all that change something, or a command and a path in which `*` stands for any
    /// characters (`set photos.*`). A path is matched as it was typed and from the registered object that it
    /// leads to; what can be reached on another way too needs a rule of its own. A text that is no rule is
    /// left out.
    public var denied: [String] = []

    /// The signal that makes a dump; nil for none.
    public var dumpSignal: SignalName? = .userDefined1
    /// The signal that prints the status line; nil for none.
    public var statusSignal: SignalName? = .information
    /// Whether the process says for how long it was stopped when it goes on.
    public var reportsPauses = true
    /// How often the agent's thread looks whether the process was stopped by what sends no signal: a
    /// debugger, a frozen cgroup. How long a pause was is known to as much; a shorter one costs wake-ups (two
    /// a second as it is, 20 with 50 ms, which `make bench` measures), and finds no further pauses. nil
    /// wakes it once a second, and then only SIGCONT tells of a pause, without its length.
    public var heartbeat: Duration? = .milliseconds(500)
    /// From when on a registered owner (queue, actor, lock) that makes no progress hangs, at least 100
    /// ms: one dump is written then, which begins with what `stuck` says, and no further one before
    /// all who were named have gone on and half a minute is over. Time in which the process is stopped doesn't count.
    /// nil, the default, watches nothing and has no timer; a shorter one asks the owners more often.
    public var hangWatch: Duration?
    /// From when on `stuck` says of a wait which nothing in the process could end that it is stuck.
    public var stuckAfter: Duration = .seconds(1)
    /// From when on it says so of the main thread, a registered owner, a pool or an event loop that has
    /// work and waits for input or output; and from when on it lists what else waits long.
    public var stuckAfterInput: Duration = .seconds(10)
    /// From when on it says so of those where something is under way that will end the wait: the time of
    /// a request to another machine.
    public var stuckAfterRequest: Duration = .seconds(30)
    /// How the signals above reach the agent.
    public var signalDelivery: SignalDelivery = .handler

    /// Where dumps go.
    public var dumpOutput: DumpOutput = .standardError
    /// The most lines of one dump on standard error, 20 to 100,000; the rest is counted and kept for
    /// `telltale PID dump ID`. Log pipelines drop floods.
    public var standardErrorLines = 200
    /// The least time between two dumps that signals ask for; what comes in between is merged into
    /// the next one and counted.
    public var dumpInterval: Duration = .seconds(1)
    /// How many dumps are kept with their text, 0 to 64; raising it costs their memory.
    public var keptDumps = 8
    /// The most bytes of all that is kept for later commands, 64 KiB to 1 GiB: the old and new values of
    /// changes, results of jobs, dumps, and what `#7` stands for. Beyond it the oldest goes first: `changes` and
    /// `jobs` count what has gone, and `info` says all of it.
    public var keptBytes = 64 << 20
    /// How many files of the template are kept; older ones are removed, where their content proves that
    /// this service wrote them under that name.
    public var keptFiles = 10
    /// The most bytes of the template's files together.
    public var keptFileBytes = 256 << 20

    /// The most connections at once, 2 to 256, each a thread. The longest idle one gives way.
    public var maximumConnections = 16
    /// The most bytes of one request, 4 KiB to 64 MiB; a longer one is refused and its connection
    /// closed.
    public var maximumRequestBytes = 1 << 20
    /// The most bytes of one answer; what is over is cut, and the cut is said.
    public var maximumReplyBytes = 64 << 20
    /// How many levels below a value are shown, 1 to 64.
    public var depth = 6
    /// How many elements of each collection are shown.
    public var elements = 100
    /// How long an owner (queue, actor, lock) may take until its objects are marked as unanswered.
    public var ownerDeadline: Duration = .seconds(1)
    /// How long a command may take.
    public var commandDeadline: Duration = .seconds(5)
    /// How long a dump may take.
    public var dumpDeadline: Duration = .seconds(30)
    /// The most threads that may run the host's code for the agent at once, 2 to 256. One that does
    /// not come back counts until it does.
    public var maximumWorkers = 64
    /// How many changes `changes` and `undo` remember.
    public var keptChanges = 1000
    /// Property names that are masked besides the built-in ones, compared word by word.
    public var maskedNames: [String] = []
    /// Whether the agent says in one line on standard error that it is there, and how it is reached.
    public var announcesStart = true
    /// Where each change is written: nil for one line on standard error, `off` for nowhere, else a file,
    /// made with mode 0600; one that is there keeps its mode, and is refused where others may write to it.
    public var auditLog: String?

    /// Makes the default configuration.
    @inlinable public init() {}
}

/// How the agent's signals are delivered on Linux.
public struct SignalDelivery: RawRepresentable, Sendable, Hashable {
    /// `handler` or `dispatchSource`.
    public var rawValue: String
    /// Makes a delivery from its name.
    ///
    /// - Parameter rawValue: `handler` or `dispatchSource`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// One handler of the agent's own, over the host's, which it goes on calling. The default.
    public static let handler = SignalDelivery(rawValue: "handler")
    /// `DispatchSource.makeSignalSource`. Measured prices on Linux: the host's earlier handler is
    /// no longer called, signals in the time that Dispatch needs to arm the source are lost, bursts
    /// count as one, and nothing is delivered while some 255 threads of Dispatch are blocked.
    public static let dispatchSource = SignalDelivery(rawValue: "dispatchSource")
}

/// A signal, by what it is for.
public struct SignalName: RawRepresentable, Sendable, Hashable {
    /// The system's number.
    public var rawValue: Int32
    /// Makes a name from the system's number.
    ///
    /// - Parameter rawValue: The system's number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// SIGHUP.
    public static let hangup = SignalName(rawValue: 1)
    /// SIGINT.
    public static let interrupt = SignalName(rawValue: 2)
    /// SIGTERM.
    public static let terminate = SignalName(rawValue: 15)
    /// SIGWINCH.
    public static let windowSize = SignalName(rawValue: 28)
    #if os(Linux)
    /// SIGUSR1.
    public static let userDefined1 = SignalName(rawValue: 10)
    /// SIGUSR2.
    public static let userDefined2 = SignalName(rawValue: 12)
    /// SIGUSR2, since Linux has no SIGINFO.
    public static let information = SignalName(rawValue: 12)
    /// SIGCONT: the process goes on, after a stop or a debugger.
    public static let `continue` = SignalName(rawValue: 18)
    /// SIGSTOP, which nothing can catch: told after the fact, when the process goes on.
    public static let stop = SignalName(rawValue: 19)
    #else
    /// SIGUSR1.
    public static let userDefined1 = SignalName(rawValue: 30)
    /// SIGUSR2.
    public static let userDefined2 = SignalName(rawValue: 31)
    /// SIGINFO, which Ctrl-T sends.
    public static let information = SignalName(rawValue: 29)
    /// SIGCONT: the process goes on, after a stop or a debugger.
    public static let `continue` = SignalName(rawValue: 19)
    /// SIGSTOP, which a dispatch source can watch on macOS.
    public static let stop = SignalName(rawValue: 17)
    #endif
}
