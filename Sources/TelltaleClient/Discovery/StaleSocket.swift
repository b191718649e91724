import TelltaleSystem

/// Removes the sockets that dead agents left behind.
enum StaleSocket {
    /// The minimum age of a socket: between an agent's `bind` and its `listen` it refuses too.
    static let youngest: Int64 = 3

    /// Removes the socket of `candidate`, which has just refused a connection, if the end of its process is
    /// the only possible reason.
    ///
    /// The socket stays in these cases: its process still runs or is stopped; the name may be from another
    /// pid namespace or machine (a directory that is a mount of its own or is seen through another
    /// process's root, or a name that a process inside some namespace here has); it is no longer a socket;
    /// the directory belongs to another user.
    static func remove(_ candidate: AgentCandidate) -> Bool {
        let path = candidate.location.path
        guard let slash = path.lastIndex(of: "/"), !path.hasPrefix("/proc/") else { return false }
        let directory = String(path[..<slash])
        guard candidate.process == nil, isPlain(directory),
            (try? SocketDirectory(path: directory).check()) != nil,
            let facts = try? FileFacts.of(path), facts.kind == .socket,
            facts.identity == candidate.identity,
            facts.owner == ProcessIdentity.uid,
            FileFacts.now - facts.modified >= youngest, !isInnerName(candidate.name)
        else { return false }
        return (try? FileFacts.remove(path)) != nil
    }

    /// Returns whether the directory is on the file system of its parent; a volume that is shared
    /// between containers or machines is not.
    private static func isPlain(_ directory: String) -> Bool {
        guard let own = try? FileFacts.of(directory),
            let above = try? FileFacts.of(directory + "/..")
        else { return false }
        return own.device == above.device
    }

    /// Returns whether a process in an inner pid namespace has this number and start time.
    private static func isInnerName(_ name: SocketName) -> Bool {
        ProcessList.pids().contains { pid in
            guard pid != name.pid, let text = ProcessFiles(pid: pid).status("NSpid"),
                ProcessList.namespacePids(text).dropFirst().contains(name.pid)
            else { return false }
            return ProcessFiles(pid: pid).stat?.startTicks == name.startTicks
        }
    }
}

/// The kernel's table of Unix sockets, `/proc/net/unix`.
enum NetUnix {
    /// The directories in which sockets lie whose names are those of agents, each once.
    ///
    /// A line is `Num RefCount Protocol Flags Type St Inode Path`; the path may contain spaces, and
    /// a newline in it makes a line without an agent's name.
    static func directories(in table: String) -> [String] {
        var found: [String] = []
        for line in table.utf8.split(separator: 10) {
            guard line.suffix(5).elementsEqual(".sock".utf8) else { continue }
            let fields = line.split(separator: 32, maxSplits: 7, omittingEmptySubsequences: true)
            guard fields.count == 8, let path = String(Substring(fields[7])) as String?,
                path.hasPrefix("/"), let slash = path.lastIndex(of: "/")
            else { continue }
            guard SocketName(fileName: String(path[path.index(after: slash)...])) != nil else {
                continue
            }
            let directory = String(path[..<slash])
            if !directory.isEmpty, !found.contains(directory) { found.append(directory) }
        }
        return found
    }
}
