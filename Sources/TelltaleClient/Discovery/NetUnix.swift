import TelltaleSystem

/// The kernel's table of Unix sockets, `/proc/net/unix`.
enum NetUnix {
    /// The directories in which sockets lie whose names are those of agents, each once.
    ///
    /// A line is `Num RefCount Protocol Flags Type St Inode Path`; the path may hold spaces, and a
    /// newline in it makes a line that no agent's name stands in.
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
