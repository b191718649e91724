#if TELLTALE_COMPILED
import Glibc

/// The private directory in which agents put their sockets, and where clients look for them.
package struct SocketDirectory: Sendable, Equatable {
    /// The directory's path, without a slash at its end.
    package let path: String

    package init(path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Returns the candidate directories for this process's agent, in the order in which they are
    /// tried: only `$TELLTALE_DIRECTORY`, if that is an absolute path; else
    /// `$XDG_RUNTIME_DIR/telltale`, `/tmp/telltale-UID`, and `/dev/shm/telltale-UID`, which a
    /// container with a read-only root has.
    package static func candidates(environment: (String) -> String?) -> [SocketDirectory] {
        if let path = environment("TELLTALE_DIRECTORY"), path.hasPrefix("/") {
            return [SocketDirectory(path: path)]
        }
        var candidates = [fallback]
        if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
            candidates.insert(SocketDirectory(path: runtime + "/telltale"), at: 0)
        }
        candidates.append(SocketDirectory(path: "/dev/shm/telltale-\(geteuid())"))
        return candidates
    }

    /// `/tmp/telltale-UID`, if there is no other.
    package static var fallback: SocketDirectory {
        SocketDirectory(path: "/tmp/telltale-\(geteuid())")
    }

    /// The reason that a directory can't be trusted or used.
    package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        case missing(String)
        case notADirectory(String)
        case foreign(String, owner: UInt32)
        case open(String, mode: UInt32)
        case system(SystemError)

        /// Indicates that another user has, or may have, tampered with it; any other problem is no
        /// secret.
        package var isOfTrust: Bool {
            switch self {
            case .missing, .system: false
            case .notADirectory, .foreign, .open: true
            }
        }

        package var description: String {
            switch self {
            case .missing(let path): "\(path) does not exist"
            case .notADirectory(let path): "\(path) is not a directory (a link is not followed)"
            case .foreign(let path, let owner):
                "\(path) belongs to \(UserNames.label(owner)) and not to uid \(geteuid())"
            case .open(let path, let mode):
                "\(path) has mode 0\(String(mode, radix: 8)) and must be 0700, open to its owner only"
            case .system(let error): error.description
            }
        }
    }

    /// Makes the directory with mode 0700 where it is missing, and checks it.
    ///
    /// Parents are not made: a missing `$XDG_RUNTIME_DIR` is a mistake to be reported.
    package func make() throws(Problem) {
        if mkdir(path, 0o700) == 0 {
            // A umask may have taken even the owner's bits away.
            guard chmod(path, 0o700) == 0 else {
                throw .system(SystemError("chmod(\(path), 0700)"))
            }
        } else if errno != EEXIST {
            throw .system(SystemError("mkdir(\(path))"))
        }
        try check()
    }

    /// Checks that it is a directory and no link, is ours, and is closed to others.
    ///
    /// - Parameter owner: Whose it must be; root's client also trusts the directory of the user
    ///   that it belongs to.
    /// - Throws: `Problem`, the first thing that is not as it should be.
    package func check(owner: UInt32 = geteuid()) throws(Problem) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw errno == ENOENT ? .missing(path) : .system(SystemError("lstat(\(path))"))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory(path) }
        guard status.st_uid == owner else { throw .foreign(path, owner: status.st_uid) }
        let mode = UInt32(status.st_mode) & 0o7777
        guard mode & 0o077 == 0 else { throw .open(path, mode: mode) }
    }

    package func path(of name: SocketName) -> String { "\(path)/\(name.fileName)" }

    /// The sockets in the directory whose names are well formed, by pid. A directory that can't be
    /// read has none.
    package func sockets() -> [SocketName] {
        DirectoryListing.names(in: path).compactMap(SocketName.init(fileName:)).sorted {
            ($0.pid, $0.startTicks) < ($1.pid, $1.startTicks)
        }
    }
}

/// The name of a socket: the pid and the start time of its process, so that a reused pid is not
/// mistaken for its earlier owner.
package struct SocketName: Sendable, Hashable {
    package var pid: Int32
    /// Field 22 of `/proc/PID/stat`: clock ticks since boot.
    package var startTicks: UInt64

    package init(pid: Int32, startTicks: UInt64) {
        self.pid = pid
        self.startTicks = startTicks
    }

    package init?(fileName: String) {
        guard fileName.hasSuffix(".sock") else { return nil }
        let parts = fileName.dropLast(5).split(
            separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let pid = Int32(parts[0]), pid > 0, let ticks = UInt64(parts[1])
        else { return nil }
        self.init(pid: pid, startTicks: ticks)
        // Only one spelling each: `+1-2.sock` and `01-2.sock` are not ours.
        guard self.fileName == fileName else { return nil }
    }

    package var fileName: String { "\(pid)-\(startTicks).sock" }
}
#endif
