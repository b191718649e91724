#if TELLTALE_COMPILED
/// The answer to `stuck`: findings, their evidence, and the next steps.
public struct StuckAnswer: CommandAnswer {
    package static let kind = "stuck"

    /// The verdict of all findings.
    public var verdict: Verdict
    /// The findings; deadlocks first, long waits last.
    public var findings: [Finding]
    /// The work blocked by the findings; `nil` if nothing was found.
    public var blocked: Blocked?
    /// States that look stuck and are not.
    public var notIt: [Remark] = []
    /// The longest wait of those that block no other work; `nil` if nothing waits.
    public var longest: Finding?
    /// Threads that use a core, or their part of one; the busiest.
    public var busy: [Busy]?
    /// The number of further busy threads; `nil` if all are listed.
    public var busyOmitted: Int?
    /// The long waits of which it isn't known whether something will end them; `nil` for none.
    public var unjudged: Unjudged?
    /// A long wait counts as stuck too.
    public var isStrict: Bool?
    /// Commands that show more: `stack 4251 4252`.
    public var next: [String] = []
    /// The number of pictures of the process that were compared.
    public var captures: Int
    /// The total duration, in milliseconds.
    public var milliseconds: Int
    /// The age of this answer, in seconds, if a probe's own capture was not done in time; `nil` for
    /// now.
    public var ageSeconds: Double?
    /// The number of captured threads.
    public var threads: Int?
    /// The number of captured queues.
    public var queues: Int?
    /// The number of captured tasks; `nil` if they could not be captured.
    public var tasks: Int?
    /// Parts that could not be captured, with the reason.
    public var notes: [String]

    package init(
        verdict: Verdict, findings: [Finding] = [], captures: Int, milliseconds: Int,
        notes: [String] = []
    ) {
        self.verdict = verdict
        self.findings = findings
        self.captures = captures
        self.milliseconds = milliseconds
        self.notes = notes
    }

    /// The verdict; a struct, so that a newer agent's verdict is kept as it is.
    public struct Verdict: RawRepresentable, Codable, Sendable, Hashable {
        /// The verdict's wire form.
        public var rawValue: String
        /// Makes a verdict from its wire form.
        ///
        /// - Parameter rawValue: The verdict's wire form.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// All that was captured moves, or has nothing to do.
        public static let healthy = Verdict(rawValue: "healthy")
        /// A long wait that blocks other work, and that a potential waker may still end.
        public static let waiting = Verdict(rawValue: "waiting")
        /// Work waits, and the party that should do it has not moved for longer than the threshold.
        public static let blocked = Verdict(rawValue: "blocked")
        /// A cycle: it will never move.
        public static let deadlock = Verdict(rawValue: "deadlock")
        /// Nothing was found, and not all could be captured: no time, no descriptor.
        public static let unknown = Verdict(rawValue: "unknown")
    }

    /// Indicates that a liveness probe should fail.
    public var isStuck: Bool {
        switch verdict {
        case .healthy: false
        case .waiting, .unknown: isStrict == true && !findings.isEmpty
        default: true
        }
    }

    package var exitStatus: ExitStatus { isStuck ? .stuck : verdict == .unknown ? .late : .done }

    /// The amount of work blocked by the findings, without the parties themselves.
    public struct Blocked: Codable, Sendable, Equatable {
        /// Items of queues.
        public var items = 0
        /// Threads.
        public var threads = 0
        /// Tasks.
        public var tasks = 0
        /// Operations.
        public var operations = 0
        /// Indicates that the main thread or the main queue is blocked, or takes part.
        public var isMain = false
        /// Some of the threads, tasks and operations, without frames; those at one place are one.
        public var first: [Party]?

        package init() {}
    }

    /// A thread that uses a core, or its part of one.
    public struct Busy: Codable, Sendable, Equatable {
        /// The thread, without frames.
        public var party: Party
        /// The share of a core used between two captures: 1 for a whole core.
        public var share: Double

        package init(_ party: Party, share: Double) {
            self.party = party
            self.share = share
        }
    }
}

extension StuckAnswer {
    /// The certainty that an intervention is needed.
    public enum Grade: String, Codable, Sendable {
        /// A cycle, each of whose waits is proven: it will never move.
        case deadlock
        /// Work waits, and the party that should do it has not moved for longer than the threshold.
        case stuck
        /// A long wait that a potential waker may still end.
        case waits
    }

    /// A party that does not move.
    public struct Finding: Codable, Sendable, Equatable {
        /// The certainty; `nil` for a newer agent's grade that isn't known here.
        @IfKnown public var grade: Grade?
        /// The evidence; `nil` for a newer agent's kind that isn't known here.
        @IfKnown public var evidence: Evidence?
        /// The potential waker; `nil` if none is known.
        @IfKnown public var hope: Hope?
        /// The number of deadlocks of this kind, represented by this one: the same parties at the
        /// same locations, with other tasks, threads and locks; `nil` for one.
        public var count: Int?
        /// The minimum time without progress, in seconds; of several, the longest.
        public var seconds: Double?
        /// The latest possible start, UTC with milliseconds.
        public var since: String?
        /// The parties; in a deadlock each waits for the next, and the last for the first.
        public var parties: [Party]
        /// The calls that led the tasks of the first party there; `nil` if all came by the same.
        public var callers: [Callers]?
        /// The type of the object that could resume the tasks, to which only parties that wait themselves lead.
        public var meeting: String?

        package init(
            _ evidence: Evidence, _ grade: Grade? = nil, seconds: Double? = nil,
            since: String? = nil, parties: [Party], hope: Hope? = nil
        ) {
            if case .cycle = evidence {
                self.grade = grade ?? .deadlock
            } else {
                self.grade = grade ?? .stuck
            }
            self.evidence = evidence
            self.seconds = seconds
            self.since = since
            self.parties = parties
            self.hope = hope
        }

        /// Indicates that the finding will never resolve itself.
        public var isDeadlock: Bool { grade == .deadlock }
    }

    /// The evidence that a finding makes no progress. The parties say what each waits for.
    public enum Evidence: Codable, Sendable, Equatable {
        /// A deadlock: each of these waits for the next, and the last for the first.
        case cycle(of: [Subject])
        /// All threads of a pool are blocked by other parts of the process, and work waits for one.
        case poolExhausted(pool: Subject, threads: Int, items: Int)
        /// A queue with items is suspended, or was never activated.
        case queueSuspended
        /// So many threads wait for a semaphore, a group, a condition or a lock, which has not
        /// changed meanwhile.
        case notSignalled(waiters: Int)
        /// Others wait for a thread that waits for input, output or a time.
        case slow
        /// A task waits for a continuation, and nothing is left that could resume it.
        case notResumed
        /// Others wait for an operation that nothing starts, or that nothing marks as finished.
        case operationNotFinished
        /// The thread of an event loop is blocked in one of its handlers, and this many of the
        /// loop's descriptors have unfetched events.
        case eventLoopBlocked(ready: Int)
        /// No descriptor is free, so that no new client is served. `alive` says so; `doctor` has their kinds.
        case outOfDescriptors(open: Int, limit: Int)
        /// The backlog of a listening socket is full, and no thread and no event loop waits for it. `alive` says so.
        case listenerDeaf(name: String, waiting: Int, limit: Int)
    }

    /// The potential waker of a wait.
    public enum Hope: Codable, Sendable, Equatable {
        /// The input, the output or the time that is waited for.
        case itself
        /// The host, by as many calls of `resume()` as it has made of `suspend()`.
        case resume(calls: Int)
        /// The host, by `activate()`.
        case activate
        /// A client of the agent, by its `resume` or its end.
        case client
        /// A timer that fires once.
        case timeout
        /// A task that sleeps.
        case sleepingTask
        /// A task that runs.
        case runningTask
        /// A timer that reaches the object waited for.
        case timer
        /// Another source of Dispatch that reaches it, and the object that it watches.
        case source(watches: String)
        /// An item that does, and that waits on this queue.
        case item(queue: String)
        /// A task that does, by its title.
        case task(name: String)
        /// A variable that holds the object waited for; code that can read it may end the wait.
        case global(name: String?)
        /// An object of this type that does.
        case object(type: String?)
        /// The search for retainers of the object waited for was not completed.
        case unsearched
        /// A client that connects to a listening socket.
        case connection
        /// Data expected on a connected socket.
        case networkAnswer
        /// A descriptor: they could not be listed.
        case unknownDescriptor
        /// A thread in this state; without one it has just run.
        case thread(name: String, State?)
        /// A thread that stands in the `resume` which would end it.
        case resuming(thread: String)
        /// An event on a descriptor that an epoll watches, whose `epoll_data` leads to what is waited for.
        case event(descriptor: Int32, epoll: Int32)
        /// A completion of an io_uring, which keeps pointers (`user_data`) that the kernel doesn't show.
        case ring(descriptor: Int32)
        /// A timer of `timer_create`, which keeps a pointer (`sival_ptr`).
        case processTimer
        /// A completion of Linux's asynchronous input and output (`io_setup`), which keeps pointers (`aio_data`).
        case asyncRequest
        /// A user of memory without access (PROT_NONE), which could not be searched.
        case unreadableMemory(bytes: UInt64)
        /// An event on an epoll, none of which was read (`epoll_data`): so many descriptors are open.
        case epolls(descriptors: Int)
    }

    /// A state that looks stuck and is not.
    public struct Remark: Codable, Sendable, Equatable {
        /// The reason that it isn't stuck.
        public enum Reason: String, Codable, Sendable {
            /// A suspended queue for which nothing waits.
            case nothingWaits
            /// A thread that others wait for, and which makes progress.
            case busy
            /// A thread that no other work waits for.
            case holdsNobodyUp
            /// An event loop that is away from its wait, and whose thread runs or turns.
            case busyLoop
            /// An event loop whose thread is blocked in a handler, while nothing waits that can be seen.
            case blockedLoop
        }

        /// The party, without frames.
        public var party: Party
        /// The reason that it isn't stuck; `nil` for a newer agent's reason that isn't known here.
        @IfKnown public var reason: Reason?
        /// The potential waker.
        @IfKnown public var hope: Hope?

        package init(_ party: Party, _ reason: Reason, hope: Hope? = nil) {
            self.party = party
            self.reason = reason
            self.hope = hope
        }
    }
}
#endif
