#if TELLTALE_COMPILED
import Glibc

/// The kind and owner of a file, without following a link at its end (`lstat`).
package struct FileFacts: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case file, directory, link, socket, other

        /// The kind with its article, for messages.
        package var description: String {
            switch self {
            case .file: "a plain file"
            case .directory: "a directory"
            case .link: "a symbolic link"
            case .socket: "a socket"
            case .other: "a device or a pipe"
            }
        }
    }

    /// The identity by which two paths to one file are recognised.
    package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }

    package var kind: Kind
    package var owner: UInt32
    package var mode: UInt32
    package var device: UInt64
    package var inode: UInt64
    package var links: UInt64
    /// The time of its last modification, in whole seconds since 1970.
    package var modified: Int64

    /// Returns the facts of `path`, or of a link's target (`stat`) if `followingLinks` is set.
    package static func of(
        _ path: String, followingLinks: Bool = false
    ) throws(SystemError) -> FileFacts {
        var status = stat()
        let result = followingLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { throw SystemError(path) }
        return FileFacts(status)
    }

    package static func of(descriptor: Int32) throws(SystemError) -> FileFacts {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat(\(descriptor))") }
        return FileFacts(status)
    }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            case S_IFSOCK: .socket
            default: .other
            }
        owner = status.st_uid
        mode = UInt32(status.st_mode) & 0o7777
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        links = UInt64(truncatingIfNeeded: status.st_nlink)
        modified = Int64(status.st_mtim.tv_sec)
    }

    /// Returns whether a file of this name exists, even if it is a broken link.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The path without links (`realpath`); `nil` if there is no such file.
    package static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Removes the name of a file.
    package static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 else { throw SystemError("unlink(\(path))") }
    }

    /// The seconds of the clock by which `modified` counts.
    package static var now: Int64 { Int64(time(nil)) }
}

/// The identity of a file on the machine, whatever its paths.
package struct FileIdentity: Sendable, Hashable {
    package var device: UInt64
    package var inode: UInt64
}
#endif
