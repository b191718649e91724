#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// The other ends of pipes and sockets, in children and in other processes of this user.
extension BorderReader {
    /// The maximum time for looking at processes that are no children.
    private static let longestSearch = Duration.milliseconds(300)

    mutating func readEnds(_ threads: [ThreadFacts]) {
        readPeers(threads)
        let shared = Set(
            facts.descriptors.lazy.filter { $0.isPipe || $0.kind == "socket" }.map(\.file)
        ).union(facts.peers.values)
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

    /// Finds the other ends of the sockets in whose calls threads wait.
    private mutating func readPeers(_ threads: [ThreadFacts]) {
        let sockets = Dictionary(
            facts.descriptors.filter { $0.kind == "socket" }.map { ($0.number, $0) }
        ) { first, _ in first }
        var search = SocketPeers()
        for number in Set(threads.compactMap(\.descriptorWaitedFor)) {
            guard let socket = sockets[number], let inode = search.peer(of: socket) else {
                continue
            }
            // All sockets are on one device of the kernel's own.
            facts.peers[number] = .init(device: socket.file.device, inode: inode)
        }
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

    /// Returns whether a thread waits at a pipe or a socket, or a child at a pipe, of which no process is known to
    /// have the other end.
    private func needsMore(_ threads: [ThreadFacts]) -> Bool {
        let known = Set(facts.descriptors.map(\.file)).union(facts.ends.keys)
        if facts.peers.values.contains(where: { !known.contains($0) }) { return true }
        let pipes = Dictionary(
            facts.descriptors.filter(\.isPipe).map { ($0.number, $0.file) }
        ) { first, _ in first }
        guard !pipes.isEmpty else { return false }
        if facts.children.contains(where: { $0.call?.isAtDescriptor == true }) { return true }
        return threads.contains { thread in
            guard let file = thread.descriptorWaitedFor.flatMap({ pipes[$0] }) else { return false }
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

extension BorderFacts.Descriptor {
    /// Indicates a pipe without a name: the inode of a named one is of a file system, and means nothing in the links
    /// of other processes.
    fileprivate var isPipe: Bool { kind == "pipe" && !isNamed }
}

extension SystemCall {
    /// Reads or writes a descriptor.
    fileprivate var isAtDescriptor: Bool {
        ["read", "write", "recv", "send"].contains { name.hasPrefix($0) }
    }
}

extension ThreadFacts {
    /// The descriptor that it waits to read or to write.
    fileprivate var descriptorWaitedFor: Int32? {
        guard case .waiting(let call) = state, call.isAtDescriptor else { return nil }
        return call.arguments.first.map { Int32(truncatingIfNeeded: $0) }
    }
}
#endif
