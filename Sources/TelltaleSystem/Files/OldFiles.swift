#if TELLTALE_COMPILED
import Glibc

/// The files of one directory that are examined and then, some of them, removed: exactly an
/// examined file is removed, whatever happens to names and links meanwhile.
package struct OldFiles: ~Copyable {
    /// An examined file: a regular file of this user with one name.
    package struct Found: Sendable {
        package let name: String
        /// In bytes.
        package let size: Int
        /// The time it was last written, in nanoseconds since 1970.
        package let modified: Int
        /// Its first bytes and its last, at most ``OldFiles/sample`` of each.
        package let beginning: String
        package let end: String
        fileprivate let identity: FileIdentity
    }

    /// The number of bytes read of each end.
    package static let sample = 4096
    private let directory: FileDescriptor

    package init?(in path: String) {
        let raw = DescriptorReserve.shared.lend {
            open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard raw >= 0 else { return nil }
        directory = FileDescriptor(taking: raw)
    }

    /// The file called `name`; `nil` for a link, a directory, another user's file, one that has a
    /// second name, and for a missing file.
    package func find(_ name: String) -> Found? {
        let raw = DescriptorReserve.shared.lend {
            openat(directory.raw, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        guard raw >= 0 else { return nil }
        let file = FileDescriptor(taking: raw)
        var status = stat()
        guard fstat(file.raw, &status) == 0, Self.isOwn(FileFacts(status)) else { return nil }
        let size = Int(status.st_size)
        let time = status.st_mtim
        return Found(
            name: name, size: size,
            modified: Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec),
            beginning: Self.text(of: file.raw, at: 0),
            end: Self.text(of: file.raw, at: max(0, size - Self.sample)),
            identity: FileFacts(status).identity)
    }

    /// Removes an examined file, if it still has that name.
    package func remove(_ found: Found) {
        var status = stat()
        guard fstatat(directory.raw, found.name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            Self.isOwn(FileFacts(status)), FileFacts(status).identity == found.identity,
            Int(status.st_size) == found.size
        else { return }
        unlinkat(directory.raw, found.name, 0)
    }

    private static func isOwn(_ facts: FileFacts) -> Bool {
        facts.kind == .file && facts.owner == geteuid() && facts.links == 1
    }

    private static func text(of file: Int32, at position: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: sample)
        let count = bytes.withUnsafeMutableBytes { buffer in
            retryingInterrupts {
                pread(file, buffer.baseAddress, buffer.count, off_t(position))
            }
        }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
#endif
