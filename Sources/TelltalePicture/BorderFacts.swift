#if TELLTALE_AGENT
/// The border of the process: its descriptors, its children, and the other ends of its pipes.
package struct BorderFacts: Sendable {
    /// A file, pipe or socket as the kernel tells it from others.
    package struct File: Sendable, Hashable {
        package var device: UInt64
        package var inode: UInt64

        package init(device: UInt64, inode: UInt64) {
            self.device = device
            self.inode = inode
        }
    }

    package struct Descriptor: Sendable, Hashable {
        package var number: Int32
        /// `pipe`, `socket`, `file`, `epoll`, as `info --files` has them.
        package var kind: String
        /// The path, or the socket's ends.
        package var name: String
        package var file: File
        package var reads = false
        package var writes = false
        /// Indicates a file of a file system, which other processes may open: a named pipe too.
        package var isNamed: Bool { name.hasPrefix("/") }
        /// Bytes that may be read; `nil` if not reported.
        package var unread: Int?
        /// The size of a pipe.
        package var capacity: Int?
        /// The state of a TCP socket, as the kernel names it: `CLOSE_WAIT`.
        package var state: String?
        /// The connections that wait to be accepted on a listening socket.
        package var backlog: Backlog?

        package init(number: Int32, kind: String, name: String, file: File) {
            self.number = number
            self.kind = kind
            self.name = name
            self.file = file
        }
    }

    package struct Backlog: Sendable, Hashable {
        package var waiting: Int
        package var limit: Int

        package init(waiting: Int, limit: Int) {
            self.waiting = waiting
            self.limit = limit
        }
    }

    /// A child, or a child's child.
    package struct Process: Sendable, Hashable {
        package var pid: Int32
        package var parent: Int32
        package var program: String
        /// As in `/proc/PID/stat`: `S`, `R`, `Z`.
        package var state: Character
        package var threads: Int
        /// The call in which it waits, of a process with one thread; `nil` if that can't be read.
        package var call: SystemCall?
        /// The same number in two captures: it has not run between them.
        package var switches: UInt64?
        /// Its age in seconds.
        package var age: Double?

        package init(
            pid: Int32, parent: Int32, program: String, state: Character, threads: Int
        ) {
            self.pid = pid
            self.parent = parent
            self.program = program
            self.state = state
            self.threads = threads
        }
    }

    /// A descriptor of another process that leads to the same pipe or socket.
    package struct End: Sendable, Hashable {
        package var pid: Int32
        package var program: String
        package var descriptor: Int32
        package var reads: Bool
        package var writes: Bool

        package init(
            pid: Int32, program: String, descriptor: Int32, reads: Bool, writes: Bool
        ) {
            self.pid = pid
            self.program = program
            self.descriptor = descriptor
            self.reads = reads
            self.writes = writes
        }
    }

    /// A lock on a file (`flock`, `fcntl`) by a process.
    package struct FileLock: Sendable, Hashable {
        package var inode: UInt64
        /// -1 for an open file description's own (OFD), or a process of another namespace.
        package var pid: Int32
        package var isWaiting: Bool

        package init(inode: UInt64, pid: Int32, isWaiting: Bool) {
            self.inode = inode
            self.pid = pid
            self.isWaiting = isWaiting
        }
    }

    /// The use of the kernel by a thread until a moment; `nil` where the kernel doesn't tell it.
    package struct KernelUse: Sendable, Hashable {
        /// The number of its calls that have read or written.
        package var transfers: UInt64?
        /// Its processor time in the kernel, in seconds.
        package var seconds: Double?

        package init(transfers: UInt64? = nil, seconds: Double? = nil) {
            self.transfers = transfers
            self.seconds = seconds
        }
    }

    /// The open descriptors of this process, by number.
    package var descriptors: [Descriptor] = []
    /// The number of open descriptors; more than are listed if there are too many.
    package var open = 0
    /// The limit on that number.
    package var limit: Int?
    package var children: [Process] = []
    /// The ends in other processes, by file.
    package var ends: [File: [End]] = [:]
    /// The sockets at the other ends of those in whose calls threads wait, by descriptor; without those on other
    /// machines.
    package var peers: [Int32: File] = [:]
    /// Set if all processes of this user were looked at for them, and not only children. Processes of other
    /// users that are no children are taken to have none.
    package var hasAllEnds = false
    package var locks: [FileLock] = []
    /// The use of the kernel by threads that run or wait for events.
    package var uses: [Int32: KernelUse] = [:]
    /// The descriptors that epolls watch.
    package var watched: Set<Int32> = []
    /// Set if others may be watched too: members that were not read, an io_uring, `select`.
    package var mayWatchMore = false
    /// The descriptors that threads poll (`poll`, `ppoll`), by thread.
    package var polled: [Int32: [Int32]] = [:]
    /// The time that a sleep takes from its call on, in seconds, by thread.
    package var sleeps: [Int32: Double] = [:]
    /// The processor time of the process, in seconds.
    package var processorSeconds = 0.0
    package var residentBytes: UInt64?
    package var uptimeSeconds = 0.0
    /// Sentences about missing parts.
    package var gaps: [String] = []

    package init() {}
}

extension BorderFacts {
    /// Indicates that a thread or an event loop waits for one of these descriptors, or is in a call with it, or that
    /// this can't be ruled out.
    package func isAttended(_ numbers: Set<Int32>, by threads: [ThreadFacts]) -> Bool {
        if mayWatchMore || !numbers.isDisjoint(with: watched) { return true }
        if polled.values.contains(where: { !numbers.isDisjoint(with: $0) }) { return true }
        return threads.contains { thread in
            guard case .waiting(let call) = thread.state, let first = call.arguments.first else {
                return false
            }
            return numbers.contains(Int32(truncatingIfNeeded: first))
        }
    }
}
#endif
