#if TELLTALE_COMPILED
/// The answer to `doctor`: what is wrong with the service, worst first.
public struct DoctorAnswer: CommandAnswer {
    package static let kind = "doctor"

    /// The process as a whole.
    public var process: Process
    /// Faults first, then suspicions.
    public var findings: [Finding]
    /// The parts that were judged and have no finding: `locks`, `tasks`.
    public var sound: [String]
    /// The sockets on which the service listens.
    public var listening: [Listener]
    /// Commands that show more: `stack 7`.
    public var next: [String]
    /// The time between the first and the last capture, in seconds.
    public var watchedSeconds: Double
    /// A suspicion counts as a fault.
    public var isStrict: Bool?
    /// Set if not enough could be captured for a verdict without findings.
    public var isIncomplete: Bool?
    /// Parts that could not be captured or judged, with the reason.
    public var notes: [String]

    package init(process: Process, watchedSeconds: Double) {
        self.process = process
        self.watchedSeconds = watchedSeconds
        findings = []
        sound = []
        listening = []
        next = []
        notes = []
    }

    /// Indicates that something is faulty.
    public var isIll: Bool {
        findings.contains { $0.grade == .fault || isStrict == true && $0.grade == .suspicion }
    }

    package var exitStatus: ExitStatus { isIll ? .stuck : isIncomplete == true ? .late : .done }
}

extension DoctorAnswer {
    /// Figures of the process.
    public struct Process: Codable, Sendable, Equatable {
        /// The service's name.
        public var name: String
        /// Its process id, in its own pid namespace.
        public var pid: Int32
        /// Seconds since it started.
        public var uptimeSeconds: Double
        /// Resident memory in bytes; `nil` if unknown.
        public var residentBytes: UInt64?
        /// The cores that it used while it was watched: 1 for a whole one.
        public var usedCores: Double?
        /// The cores that it may use.
        public var cores: Int
        /// Its threads, without the agent's own.
        public var threads: Int
        /// Its tasks; `nil` if they could not be captured.
        public var tasks: Int?

        package init(
            name: String, pid: Int32, uptimeSeconds: Double, residentBytes: UInt64?,
            usedCores: Double?, cores: Int, threads: Int, tasks: Int?
        ) {
            self.name = name
            self.pid = pid
            self.uptimeSeconds = uptimeSeconds
            self.residentBytes = residentBytes
            self.usedCores = usedCores
            self.cores = cores
            self.threads = threads
            self.tasks = tasks
        }
    }

    /// The certainty of a finding.
    public enum Grade: String, Codable, Sendable {
        /// Proven to be wrong.
        case fault
        /// May be right.
        case suspicion
        /// Worth to know beside the others.
        case notice
    }

    /// One thing that is wrong, or may be.
    public struct Finding: Codable, Sendable, Equatable {
        /// The certainty; `nil` for a newer agent's grade that isn't known here.
        @IfKnown public var grade: Grade?
        /// The evidence; `nil` for a newer agent's kind that isn't known here.
        @IfKnown public var evidence: Evidence?
        /// The threads and tasks concerned; threads without frames.
        public var parties: [StuckAnswer.Party]
        /// The minimum time that it has been so, in seconds; `nil` if unknown.
        public var seconds: Double?
        /// The work that waits because of it.
        public var behind: Behind?

        package init(
            _ evidence: Evidence, _ grade: Grade, parties: [StuckAnswer.Party] = [],
            seconds: Double? = nil, behind: Behind? = nil
        ) {
            self.grade = grade
            self.evidence = evidence
            self.parties = parties
            self.seconds = seconds
            self.behind = behind
        }
    }

    /// Work that waits.
    public struct Behind: Codable, Sendable, Equatable {
        /// Items of queues.
        public var items: Int
        /// Threads.
        public var threads: Int
        /// Tasks.
        public var tasks: Int

        package init(items: Int = 0, threads: Int = 0, tasks: Int = 0) {
            self.items = items
            self.threads = threads
            self.tasks = tasks
        }

        package var isEmpty: Bool { items == 0 && threads == 0 && tasks == 0 }
    }

    /// The kind of a finding, and what proves it.
    public enum Evidence: Codable, Sendable, Equatable {
        /// A finding of `stuck`.
        case stuck(finding: StuckAnswer.Finding)
        /// A child writes to a full pipe that only this process could read, and a thread waits for
        /// the child's end instead.
        case childWrites(child: Child, pipe: Descriptor)
        /// A thread has a read-write lock for reading, since the outer function, and wants it again in the inner one,
        /// behind a writer.
        case readsAgain(
            lock: String, outer: String?, finding: StuckAnswer.Finding, inner: String? = nil)
        /// A thread waits at the border of the process.
        case waits(for: Wait)
        /// A thread uses a core; with a reason, for nothing: a call fails again and again, or what is ready is
        /// never taken.
        case busy(share: Double, reason: BusyReason?)
        /// Children have ended, and nothing has waited for them: the first and how many.
        case unreaped(first: Child, count: Int)
        /// Almost all descriptors are in use.
        case descriptors(open: Int, limit: Int, kinds: [Count])
        /// Tasks wait to be resumed at one place, and none has gone on while it was watched. The first is the party.
        case tasksWait(count: Int)
        /// Promises of SwiftNIO that were made at one place of the service's own are not completed.
        case promisesPending(count: Int, place: String)
        /// Items have waited long for a queue whose head runs, or for a package's pool without a free thread, or
        /// descriptors and tasks for an event loop whose handler runs. A head that polls sleeps for so long each time.
        case late(
            queue: StuckAnswer.Subject, items: Int, isPolling: Bool, sleepSeconds: Double? = nil)
        /// Something has grown during the finding's time: its number now and its rate. `holder` is the property
        /// or variable by which most of it is kept; `nil` if unknown. `equally` has what has grown at the same
        /// rate, so that it is likely the same growth.
        case grows(
            what: String, count: Int, perMinute: Double, bytes: UInt64?, holder: String? = nil,
            equally: [String]? = nil)
        /// Connections wait to be accepted, and no thread does it.
        case deaf(listener: Listener)
        /// The process is in `exit`, which does not end.
        case exiting
    }

    /// The reason that a busy thread gets nothing done.
    public enum BusyReason: Codable, Sendable, Equatable {
        /// A system call fails, since no descriptor is free.
        case noDescriptor(call: String)
        /// An event loop returns at once for a descriptor that it never takes.
        case readyNeverTaken(descriptor: Descriptor)
    }

    /// A number of something.
    public struct Count: Codable, Sendable, Equatable {
        /// The things counted: `sockets in CLOSE_WAIT`.
        public var name: String
        /// The number.
        public var count: Int
        /// The class of objects that have most of them; `nil` if none was found.
        public var holder: String?

        package init(_ name: String, _ count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// A socket that accepts connections.
    public struct Listener: Codable, Sendable, Equatable {
        /// Its address: `tcp 0.0.0.0:8080`.
        public var name: String
        /// The number of connections that wait to be accepted; `nil` if unknown.
        public var waiting: Int?
        /// The most that the kernel keeps; `nil` if unknown.
        public var limit: Int?

        package init(name: String, waiting: Int?, limit: Int?) {
            self.name = name
            self.waiting = waiting
            self.limit = limit
        }
    }

    /// A child process.
    public struct Child: Codable, Sendable, Equatable {
        /// Its process id.
        public var pid: Int32
        /// The kernel's name of its program.
        public var program: String
        /// Its age in seconds; `nil` if unknown.
        public var ageSeconds: Double?

        package init(pid: Int32, program: String, ageSeconds: Double?) {
            self.pid = pid
            self.program = program
            self.ageSeconds = ageSeconds
        }
    }

    /// An open descriptor.
    public struct Descriptor: Codable, Sendable, Equatable {
        /// Its number.
        public var number: Int32
        /// `pipe`, `socket`, `file`.
        public var kind: String
        /// The file's path, or the socket's addresses; empty without one.
        public var name: String
        /// The bytes in it that have not been read; `nil` if unknown.
        public var unread: Int?
        /// The bytes that a pipe takes; `nil` if unknown.
        public var capacity: Int?

        package init(
            number: Int32, kind: String, name: String, unread: Int? = nil, capacity: Int? = nil
        ) {
            self.number = number
            self.kind = kind
            self.name = name
            self.unread = unread
            self.capacity = capacity
        }
    }

    /// A wait at the border of the process, with the other end.
    public struct Wait: Codable, Sendable, Equatable {
        /// The activity.
        public enum Kind: String, Codable, Sendable {
            case reads, writes, connects, locksFile, child, sleeps
        }

        /// The activity; `nil` for a newer agent's kind that isn't known here.
        @IfKnown public var kind: Kind?
        /// The descriptor waited on; `nil` for a child.
        public var descriptor: Descriptor?
        /// The child waited for; `nil` for a descriptor, and for any child.
        public var child: Child?
        /// The holders of the other end, or of the file's lock.
        public var ends: [End]
        /// Set if all of them were found.
        public var areEndsKnown: Bool
        /// The time until a sleep ends by itself, in seconds; `nil` if unknown.
        public var remainingSeconds: Double?

        package init(
            _ kind: Kind, descriptor: Descriptor? = nil, child: Child? = nil, ends: [End] = [],
            areEndsKnown: Bool = true
        ) {
            self.kind = kind
            self.descriptor = descriptor
            self.child = child
            self.ends = ends
            self.areEndsKnown = areEndsKnown
        }
    }

    /// The other end of a pipe or a socket, or the holder of a lock.
    public struct End: Codable, Sendable, Equatable {
        /// The process; `nil` for this one.
        public var pid: Int32?
        /// Its program; `nil` for this process.
        public var program: String?
        /// The descriptor there; `nil` if unknown.
        public var descriptor: Int32?

        package init(pid: Int32?, program: String?, descriptor: Int32?) {
            self.pid = pid
            self.program = program
            self.descriptor = descriptor
        }
    }
}
#endif
