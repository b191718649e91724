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
    /// The maximum number of epolls whose members are read.
    private static let mostEpolls = 64

    private let deadline: MonotonicTime
    private var facts = BorderFacts()

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
        reader.readEnds(threads)
        reader.facts.locks = FileLocks.read()
        return reader.facts
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
            number: open.number, kind: open.kind,
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

    /// Reads the times for which threads sleep: a number of seconds and one of nanoseconds.
    private mutating func readSleeps(_ threads: [ThreadFacts]) {
        for thread in threads {
            guard case .waiting(let call) = thread.state, call.arguments.count >= 3 else {
                continue
            }
            let address: UInt
            switch call.name {
            case "nanosleep": address = call.arguments[0]
            // Flags of 0: a time from now on, not a moment.
            case "clock_nanosleep" where call.arguments[1] == 0: address = call.arguments[2]
            default: continue
            }
            guard let seconds = GuardedMemory.load(Int64.self, at: address),
                let rest = GuardedMemory.load(Int64.self, at: address &+ 8), seconds >= 0
            else { continue }
            facts.sleeps[thread.id] = Double(seconds) + Double(rest) / 1e9
        }
    }

    // MARK: Other processes

    /// The maximum time for looking at processes that are no children.
    private static let longestSearch = Duration.milliseconds(300)

    private mutating func readEnds(_ threads: [ThreadFacts]) {
        let shared = Set(
            facts.descriptors.lazy.filter { $0.kind == "pipe" || $0.kind == "socket" }.map(\.file))
        let inodes = Dictionary(shared.map { ($0.inode, $0) }) { first, _ in first }
        var tree = ProcessTree(until: deadline)
        facts.children = tree.read()
        facts.gaps += tree.gaps
        var unread = 0
        for child in facts.children where child.state != "Z" {
            let isRead = readEnds(of: child.pid, child.program, inodes)
            // One that has ended meanwhile has none.
            let isThere = ProcessFiles(pid: child.pid).stat.map { $0.state != "Z" } ?? false
            if !isRead, isThere, !inodes.isEmpty { unread += 1 }
        }
        if unread > 0 {
            facts.gaps.append(
                "the descriptors of \(unread) of \(facts.children.count) child processes can't be read"
            )
        }
        if needsMore(threads) { readOtherEnds(inodes) }
    }

    /// Looks at the other processes of this user: a pipe may have been inherited by one whose parent has ended.
    private mutating func readOtherEnds(_ inodes: [UInt64: BorderFacts.File]) {
        var seen = Set(facts.children.map(\.pid))
        seen.insert(ProcessIdentity.pid)
        let end = min(deadline, .now.advanced(by: Self.longestSearch))
        let user = ProcessIdentity.uid
        for pid in ProcessList.pids() where !seen.contains(pid) {
            guard MonotonicTime.now < end else {
                facts.gaps.append("not all other processes were looked at for ends of pipes")
                return
            }
            let files = ProcessFiles(pid: pid)
            guard files.user == user else { continue }
            readEnds(of: pid, HostLabel.shown(files.name ?? "?"), inodes)
        }
        facts.hasAllEnds = true
    }

    /// Returns whether a thread or a child waits at a pipe of which no other process is known to have an end.
    private func needsMore(_ threads: [ThreadFacts]) -> Bool {
        let pipes = Dictionary(
            facts.descriptors.filter { $0.kind == "pipe" }.map { ($0.number, $0.file) }
        ) { first, _ in first }
        guard !pipes.isEmpty else { return false }
        if facts.children.contains(where: { $0.call?.isAtPipe == true }) { return true }
        return threads.contains { thread in
            guard case .waiting(let call) = thread.state, call.isAtPipe,
                let file = call.arguments.first.flatMap({ pipes[Int32(truncatingIfNeeded: $0)] })
            else { return false }
            return facts.ends[file] == nil
        }
    }

    /// Returns false if the descriptors of that process can't be read.
    @discardableResult
    private mutating func readEnds(
        of pid: Int32, _ program: String, _ inodes: [UInt64: BorderFacts.File]
    ) -> Bool {
        let names = DirectoryListing.names(in: "/proc/\(pid)/fd", limit: 1024)
        for name in names {
            guard let number = Int32(name),
                let link = ProcessFiles.link("/proc/\(pid)/fd/\(name)"),
                let inode = Self.inode(in: link), let file = inodes[inode]
            else { continue }
            let mode = Self.mode(of: number, of: pid)
            let end = BorderFacts.End(
                pid: pid, program: program, descriptor: number, reads: mode != 1,
                writes: mode != 0)
            facts.ends[file, default: []].append(end)
        }
        return !names.isEmpty
    }

    /// `4242` of `pipe:[4242]` and `socket:[4242]`.
    private static func inode(in link: String) -> UInt64? {
        guard link.hasPrefix("pipe:[") || link.hasPrefix("socket:[") else { return nil }
        return UInt64(link.drop { $0 != "[" }.dropFirst().dropLast())
    }

    /// The access mode, 0 for reading and 1 for writing; 2 if it can't be read.
    private static func mode(of descriptor: Int32, of pid: Int32) -> Int {
        let text = SmallFile.text(of: "/proc/\(pid)/fdinfo/\(descriptor)", limit: 4096) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix("flags:") {
            let digits = line.dropFirst(6).drop { $0 == "\t" || $0 == " " }
            return Int(digits, radix: 8).map { $0 & 3 } ?? 2
        }
        return 2
    }
}

extension SystemCall {
    /// Reads or writes a descriptor.
    fileprivate var isAtPipe: Bool { name.hasPrefix("read") || name.hasPrefix("write") }
}
#endif
