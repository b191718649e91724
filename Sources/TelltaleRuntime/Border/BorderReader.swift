#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltalePicture
package import TelltaleSystem

/// Reads what is at the border of the process: its descriptors, its children, the other ends of its pipes.
///
/// Nothing is read from a descriptor, and no other process is written to, signalled or attached to.
package struct BorderReader {
    /// The maximum number of descriptors whose facts are read; the others are only counted.
    private static let mostDescriptors = 16_384
    /// The maximum number of descriptors among which a full listener is sought.
    private static let mostListenersSought = 4096
    /// The maximum number of epolls whose members are read.
    private static let mostEpolls = 64

    let deadline: MonotonicTime
    var facts = BorderFacts()

    private init(until deadline: MonotonicTime) { self.deadline = deadline }

    /// Reads all of it.
    ///
    /// - Parameters:
    ///   - threads: The captured threads, whose waits decide how far other ends are searched for.
    ///   - deadline: Parts that are not read by then are among the gaps.
    /// - Returns: The border, with sentences about what could not be read.
    package static func read(
        _ threads: [ThreadFacts], until deadline: MonotonicTime
    ) -> BorderFacts {
        var reader = BorderReader(until: deadline)
        reader.readProcess()
        guard !SeccompFilters.haveGrown else {
            reader.facts.gaps.append(
                "descriptors and children were not read: the service has installed a seccomp filter"
            )
            return reader.facts
        }
        reader.readDescriptors()
        reader.readPolled(threads)
        reader.readSleeps(threads)
        reader.facts.uses = KernelUses.read(threads)
        reader.readEnds(threads)
        reader.facts.locks = FileLocks.read()
        return reader.facts
    }

    /// Reads the descriptors alone, and those that threads and epolls wait for.
    package static func descriptors(
        _ threads: [ThreadFacts], until deadline: MonotonicTime
    ) -> BorderFacts {
        var reader = BorderReader(until: deadline)
        guard !SeccompFilters.haveGrown else { return reader.facts }
        reader.readDescriptors()
        reader.readPolled(threads)
        return reader.facts
    }

    /// Indicates that the backlog of a listening socket is full; 1 us for each descriptor.
    package static var hasFullListener: Bool {
        guard !SeccompFilters.haveGrown else { return false }
        return DescriptorReserve.shared.makingRoom(for: 1) {
            OpenDescriptors.numbers.prefix(mostListenersSought).contains { number in
                var read = CTelltaleBorderDescriptor()
                return ctelltale_border_descriptor(number, &read) && read.backlog > 0
                    && read.backlog > read.most_backlog
            }
        }
    }

    private mutating func readProcess() {
        let files = ProcessFiles.own
        let stat = files.stat
        facts.processorSeconds = Double(ProcessClocks.processorTime) / 1e9
        let pages = stat.flatMap { $0.residentPages > 0 ? $0.residentPages : nil }
        facts.residentBytes = pages.map { $0 * ProcessFiles.pageSize }
        if let start = stat?.startTicks {
            let started = Double(start) / ProcessFiles.ticksPerSecond
            facts.uptimeSeconds = max(0, ProcessFiles.secondsSinceBoot - started)
        }
        facts.limit = files.limit(.descriptors)?.soft.map { Int(clamping: $0) }
    }

    // MARK: Descriptors

    private mutating func readDescriptors() {
        let open = DescriptorReserve.shared.makingRoom(for: 2) {
            OpenDescriptors(limit: Self.mostDescriptors)
        }
        facts.open = open.found.count + open.rest
        if open.rest > 0 {
            facts.gaps.append("\(open.rest) of \(facts.open) descriptors were not looked at")
        }
        facts.descriptors = open.found.compactMap(Self.descriptor)
        let epolls = facts.descriptors.filter { $0.kind == "epoll" }
        facts.mayWatchMore =
            open.rest > 0 || epolls.count > Self.mostEpolls
            || facts.descriptors.contains { $0.kind == "io_uring" }
        for epoll in epolls.prefix(Self.mostEpolls) {
            guard let read = LoopDescriptors.members(of: epoll.number) else {
                facts.mayWatchMore = true
                continue
            }
            if read.total != read.members.count { facts.mayWatchMore = true }
            facts.watched.formUnion(read.members.map(\.number))
        }
    }

    private static func descriptor(_ open: OpenDescriptor) -> BorderFacts.Descriptor? {
        var read = CTelltaleBorderDescriptor()
        guard ctelltale_border_descriptor(open.number, &read) else { return nil }
        // Only a path may hold a secret.
        let isAddress = open.what.hasPrefix("tcp ") || open.what.hasPrefix("udp ")
        var facts = BorderFacts.Descriptor(
            // The link of a named pipe is a path.
            number: open.number, kind: read.capacity < 0 ? open.kind : "pipe",
            name: isAddress ? open.what : HostLabel.shown(open.what),
            file: .init(device: read.device, inode: read.inode))
        facts.reads = read.reads
        facts.writes = read.writes
        facts.unread = read.unread < 0 ? nil : Int(read.unread)
        facts.capacity = read.capacity < 0 ? nil : Int(read.capacity)
        facts.state = tcpStates[read.tcp_state]
        if read.backlog >= 0 {
            facts.backlog = .init(waiting: Int(read.backlog), limit: Int(read.most_backlog))
        }
        return facts
    }

    /// The states of netinet/tcp.h that say what a connection waits for.
    private static let tcpStates: [Int32: String] = [
        1: "ESTABLISHED", 2: "SYN_SENT", 3: "SYN_RECV", 4: "FIN_WAIT1", 5: "FIN_WAIT2",
        6: "TIME_WAIT", 7: "CLOSED", 8: "CLOSE_WAIT", 9: "LAST_ACK", 10: "LISTEN", 11: "CLOSING",
    ]

    /// Reads the arrays of threads in `poll`, of the first few descriptors each.
    private mutating func readPolled(_ threads: [ThreadFacts]) {
        for thread in threads {
            guard case .waiting(let call) = thread.state, call.arguments.count >= 2 else {
                continue
            }
            if call.name == "select" || call.name == "pselect6" {
                if let selected = Self.selected(call) {
                    facts.polled[thread.id] = selected
                } else {
                    facts.mayWatchMore = true
                }
            }
            guard call.name == "poll" || call.name == "ppoll" else { continue }
            if call.arguments[1] > 64 { facts.mayWatchMore = true }
            let count = min(call.arguments[1], 64)
            facts.polled[thread.id] = (0..<count).compactMap { index in
                GuardedMemory.load(Int32.self, at: call.arguments[0] &+ index &* 8)
            }.filter { $0 >= 0 }
        }
    }

    /// The descriptors of a `select` for reading or writing, a bit each (select(2)); `nil` if they can't be read.
    private static func selected(_ call: SystemCall) -> [Int32]? {
        guard call.arguments.count >= 3, call.arguments[0] <= 1024 else { return nil }
        var found: Set<Int32> = []
        for set in call.arguments[1...2] where set != 0 {
            for byte in 0..<(call.arguments[0] &+ 7) / 8 {
                guard let bits = GuardedMemory.load(UInt8.self, at: set &+ byte) else { return nil }
                for bit in 0..<UInt(8) where bits >> bit & 1 == 1 {
                    found.insert(Int32(byte &* 8 &+ bit))
                }
            }
        }
        return found.sorted()
    }

    /// Reads the times for which threads sleep.
    private mutating func readSleeps(_ threads: [ThreadFacts]) {
        for thread in threads where thread.wait == .time {
            facts.sleeps[thread.id] = Self.sleep(of: thread.id)
        }
    }

    /// Returns the time for which a thread sleeps now, in seconds; `nil` if it isn't known.
    ///
    /// The thread may have gone on since its call was captured, and its stack hold other words: the call is read
    /// again, and counts if the thread has not run in between.
    private static func sleep(of thread: Int32) -> Double? {
        let used = ThreadSchedules.processorTime(of: thread)
        guard let used, let call = ProcessTree.call(of: thread) else { return nil }
        let seconds = sleep(in: call)
        return ThreadSchedules.processorTime(of: thread) == used ? seconds : nil
    }

    private static func sleep(in call: SystemCall) -> Double? {
        let address: UInt
        switch call.name {
        case "nanosleep": address = call.arguments[0]
        // Flags of 0: a time from now on, not a moment.
        case "clock_nanosleep" where call.arguments[1] == 0: address = call.arguments[2]
        case "poll": return Double(Int32(truncatingIfNeeded: call.arguments[2])) / 1000
        default: return nil
        }
        guard let seconds = GuardedMemory.load(Int64.self, at: address),
            let rest = GuardedMemory.load(Int64.self, at: address &+ 8), seconds >= 0
        else { return nil }
        return Double(seconds) + Double(rest) / 1e9
    }
}

/// The locks on files, as the kernel lists them.
enum FileLocks {
    /// Reads them; empty without `/proc/locks`.
    static func read() -> [BorderFacts.FileLock] {
        let text = SmallFile.text(of: "/proc/locks", limit: 1 << 20) ?? ""
        return text.split(separator: "\n").compactMap { lock($0) }
    }

    /// `1: FLOCK  ADVISORY  WRITE 812 fe:00:4242 0 EOF`; who waits for it follows as `1: -> FLOCK …`.
    static func lock(_ line: Substring) -> BorderFacts.FileLock? {
        var words = line.split(separator: " ").dropFirst()
        let isWaiting = words.first == "->"
        if isWaiting { words = words.dropFirst() }
        let fields = Array(words)
        guard fields.count >= 5, let pid = Int32(fields[3]),
            let inode = fields[4].split(separator: ":").last.flatMap({ UInt64($0) })
        else { return nil }
        return .init(inode: inode, pid: pid, isWaiting: isWaiting)
    }
}
#endif
