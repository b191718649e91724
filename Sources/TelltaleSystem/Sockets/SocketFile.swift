#if TELLTALE_COMPILED
import Glibc

/// The file of a socket, which stays behind when its listener ends.
package enum SocketFile {
    /// Returns whether a socket is at `path`; a link to one is not.
    package static func isSocket(_ path: String) -> Bool {
        (try? FileFacts.of(path))?.kind == .socket
    }

    /// Thrown if a path belongs to another process.
    package struct Answered: Error, Sendable, CustomStringConvertible {
        let path: String

        package init(path: String) { self.path = path }

        package var description: String {
            "another process answers at \(path), as happens where pid namespaces share a directory"
        }
    }

    /// Returns whether a process listens on the socket at `path`, even if it is too busy to answer
    /// at once.
    package static func isAnswered(_ path: String) -> Bool {
        guard isSocket(path) else { return false }
        do throws(SystemError) {
            _ = try UnixSocket.connect(to: path, deadline: .now)
            return true
        } catch {
            return error.code == ETIMEDOUT
        }
    }

    /// Removes the socket at `path`, and nothing else.
    ///
    /// - Throws: `SystemError` if a file that is not a socket is there.
    package static func remove(_ path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw SystemError("lstat(\(path))")
        }
        guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
            throw SystemError("\(path) is in the way and is not a socket of ours", code: EEXIST)
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink(\(path))") }
    }
}
#endif
