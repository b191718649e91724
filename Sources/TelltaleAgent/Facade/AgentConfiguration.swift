/// The agent's settings: its limits, its signals and the destinations of its output.
///
/// Environment variables override the values that the program sets; `EnvironmentTable` lists them.
public struct AgentConfiguration: Sendable {
    /// The access that clients have: read-write or read-only.
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

    /// The destination of a dump that was requested by a signal.
    public enum DumpOutput: Sendable {
        /// The process's standard error, at most ``standardErrorLines`` lines of each dump.
        case standardError
        /// A file of mode 0600; `{pid}`, `{name}`, `{id}` and `{time}` in the template are replaced.
        case file(template: String)
        /// A closure that receives the lines, for the host's own log. It runs on an agent thread; the agent
        /// abandons it if it does not return within the dump's deadline.
        case lines(@Sendable ([String]) -> Void)
    }

    /// The service's name in client listings; nil uses the name of the executable.
    public var name: String?
    /// The directory of the socket; nil uses `$XDG_RUNTIME_DIR/telltale`, else `/tmp/telltale-UID`.
    public var directory: String?
    /// The access that clients have; nil means read-write in DEBUG builds and read-only in release builds.
    public var mode: Mode?
    /// Rules that refuse commands which the mode allows, with exit status 4 and before the command runs. A
    /// rule is a command (`call`), `*` for every command that changes something, or a command and a path
    /// (`set photos.*`, where `*` matches any characters). A path is matched both as the client typed it
    /// and as the path from the registered object that it resolves to. A value that is reachable by another
    /// path needs a rule of its own. A text that is not a valid rule is left out.
    public var denied: [String] = []

    /// The signal that triggers a dump; nil for none.
    public var dumpSignal: SignalName? = .userDefined1
    /// The signal that prints the status line; nil for none.
    public var statusSignal: SignalName? = .information
    /// Reports the length of a pause when a stopped process continues.
    public var reportsPauses = true
    /// The interval at which the agent's thread checks for pauses that send no signal: a debugger, a frozen
    /// cgroup. The length of a pause is known only to this precision. A shorter interval costs wake-ups
    /// (two a second by default, 20 with 50 ms, as `make bench` measures) and finds no further pauses. With
    /// nil the thread wakes once a second; then only SIGCONT reveals a pause, and its length is unknown.
    public var heartbeat: Duration? = .milliseconds(500)
    /// The time without progress after which a registered owner (queue, actor, lock) counts as hung, at
    /// least 100 ms. The agent then writes one dump, which begins with the output of `stuck`. It writes no
    /// further dump until everything that was named has made progress and half a minute has passed. Time in
    /// which the process is stopped doesn't count. nil, the default, watches nothing and has no timer; a
    /// shorter time probes the owners more often.
    public var hangWatch: Duration?
    /// The interval at which the agent takes a sample of the process's figures (threads, descriptors,
    /// resident memory) and, with every sixth, of its objects by class if that takes at most 20 ms; 100 ms
    /// to an hour. From these `doctor` tells what has grown in the last ten minutes, or half an hour, at once.
    /// nil takes none.
    public var historyInterval: Duration? = .seconds(10)
    /// The time after which `stuck` reports a wait that nothing in the process could end.
    public var stuckAfter: Duration = .seconds(1)
    /// The time after which `stuck` reports the main thread, a registered owner, a pool or an event loop
    /// that has work and waits for input or output. Other long waits are listed after the same time.
    public var stuckAfterInput: Duration = .seconds(10)
    /// The time after which `stuck` reports one of these if a pending operation will end the wait: the
    /// duration of a request to another machine.
    public var stuckAfterRequest: Duration = .seconds(30)
    /// The mechanism that delivers the signals above to the agent.
    public var signalDelivery: SignalDelivery = .handler

    /// The destination of dumps.
    public var dumpOutput: DumpOutput = .standardError
    /// The maximum number of lines of one dump on standard error, 20 to 100,000, because log pipelines drop
    /// floods. The remaining lines are counted and kept for `telltale PID dump ID`.
    public var standardErrorLines = 200
    /// The minimum time between two dumps that signals request. Signals in between are counted and merged
    /// into the next dump.
    public var dumpInterval: Duration = .seconds(1)
    /// The number of dumps that are kept with their text, 0 to 64; each costs memory.
    public var keptDumps = 8
    /// The maximum number of bytes kept for later commands, 64 KiB to 1 GiB: the old and new values of
    /// changes, results of jobs, dumps, and the objects behind handles such as `#7`. Beyond it the oldest
    /// entries are dropped first: `changes` and `jobs` count the dropped entries, and `info` lists all of
    /// it.
    public var keptBytes = 64 << 20
    /// The number of dump files that are kept. Older files that match the template are removed if their
    /// content proves that this service wrote them under that name.
    public var keptFiles = 10
    /// The maximum number of bytes of the template's files together.
    public var keptFileBytes = 256 << 20

    /// The maximum number of simultaneous connections, 2 to 256, each with a thread. A new connection
    /// replaces the one that has been idle longest.
    public var maximumConnections = 16
    /// The maximum number of bytes of one request, 4 KiB to 64 MiB. A longer request is refused and its
    /// connection closed.
    public var maximumRequestBytes = 1 << 20
    /// The maximum number of bytes of one answer. A longer answer is truncated and says so.
    public var maximumReplyBytes = 64 << 20
    /// The number of levels that are shown below a value, 1 to 64.
    public var depth = 6
    /// The number of elements that are shown of each collection.
    public var elements = 100
    /// The time that an owner (queue, actor, lock) has to respond. After it the owner's objects are shown
    /// as not responding.
    public var ownerDeadline: Duration = .seconds(1)
    /// The time limit of a command.
    public var commandDeadline: Duration = .seconds(5)
    /// The time limit of a dump.
    public var dumpDeadline: Duration = .seconds(30)
    /// The maximum number of threads that may run the host's code for the agent at once, 2 to 256. A thread
    /// that does not return counts until it does.
    public var maximumWorkers = 64
    /// The number of changes that `changes` and `undo` remember.
    public var keptChanges = 1000
    /// Property names that are masked in addition to the built-in ones, compared word by word.
    public var maskedNames: [String] = []
    /// Prints one line on standard error at start: that the agent is running, and how to attach.
    public var announcesStart = true
    /// The destination of the audit log, which records each change: nil for one line on standard error,
    /// `off` for none, else a file. The file is created with mode 0600; an existing file keeps its mode and
    /// is refused if other users may write to it.
    public var auditLog: String?

    /// Makes the default configuration.
    @inlinable public init() {}
}

/// The mechanism that delivers the agent's signals on Linux.
public struct SignalDelivery: RawRepresentable, Sendable, Hashable {
    /// `handler` or `dispatchSource`.
    public var rawValue: String
    /// Makes a delivery from its name.
    ///
    /// - Parameter rawValue: `handler` or `dispatchSource`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The agent installs its own handler over the host's and calls the host's handler from it. The
    /// default.
    public static let handler = SignalDelivery(rawValue: "handler")
    /// `DispatchSource.makeSignalSource`. Its measured costs on Linux: the host's earlier handler is no
    /// longer called; signals are lost while Dispatch arms the source; bursts count as one; and nothing is
    /// delivered while some 255 Dispatch threads are blocked.
    public static let dispatchSource = SignalDelivery(rawValue: "dispatchSource")
}

/// A signal, named by its purpose.
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
    /// SIGCONT: the process continues, after a stop or a debugger.
    public static let `continue` = SignalName(rawValue: 18)
    /// SIGSTOP, which cannot be caught: reported after the fact, when the process continues.
    public static let stop = SignalName(rawValue: 19)
    #else
    /// SIGUSR1.
    public static let userDefined1 = SignalName(rawValue: 30)
    /// SIGUSR2.
    public static let userDefined2 = SignalName(rawValue: 31)
    /// SIGINFO, which Ctrl-T sends.
    public static let information = SignalName(rawValue: 29)
    /// SIGCONT: the process continues, after a stop or a debugger.
    public static let `continue` = SignalName(rawValue: 19)
    /// SIGSTOP, which a dispatch source can watch on macOS.
    public static let stop = SignalName(rawValue: 17)
    #endif
}
