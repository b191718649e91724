#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

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
