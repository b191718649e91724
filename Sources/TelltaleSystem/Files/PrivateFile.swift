#if TELLTALE_COMPILED
import Glibc

/// Files of mode 0600 that are written and read without following a link.
package enum PrivateFile {
    /// Appends `bytes` to `path`, which is created with mode 0600 if it is missing.
    ///
    /// - Throws: `SystemError`, also if it is a link, not a plain file, or another user's.
    package static func append(
        _ bytes: some Collection<UInt8>, to path: String
    ) throws(SystemError) {
        let file = try openOwn(path, O_WRONLY | O_APPEND | O_CREAT)
        try tighten(file.raw, path)
        try write(bytes, to: file, path)
    }

    /// As ``append(_:to:)``, for an existing file that may have been given a mode: it stays.
    ///
    /// - Returns: The file's mode.
    /// - Throws: `SystemError`, also if it is a link, not a plain file, or another user's, and if
    ///   other users may write to it: they could have written anything there.
    package static func appendKeepingMode(
        _ bytes: some Collection<UInt8>, to path: String
    ) throws(SystemError) -> UInt32 {
        // A new file is private, whatever the umask leaves.
        let isNew = !FileFacts.exists(path)
        let file = try openOwn(path, O_WRONLY | O_APPEND | O_CREAT)
        let mode = try FileFacts.of(descriptor: file.raw).mode
        if isNew, mode & 0o600 != 0o600 { try tighten(file.raw, path) }
        guard mode & 0o022 == 0 else {
            throw SystemError(
                "\(path) has mode 0\(String(mode, radix: 8)), and others may write to it",
                code: EPERM)
        }
        try write(bytes, to: file, path)
        return mode
    }

    private static func write(
        _ bytes: some Collection<UInt8>, to file: borrowing FileDescriptor, _ path: String
    ) throws(SystemError) {
        guard file.isOurs else { throw SystemError("write(\(path))", code: EBADF) }
        try DescriptorWriter.write(bytes, to: file.raw, name: path, raisesSignal: false)
    }

    private static func tighten(_ file: Int32, _ path: String) throws(SystemError) {
        if try FileFacts.of(descriptor: file).mode != 0o600, fchmod(file, 0o600) != 0 {
            throw SystemError("chmod(\(path), 0600)")
        }
    }

    /// The last `limit` bytes of `path`; `nil` if there is no such file.
    ///
    /// - Throws: `SystemError`, also if it is a link, not a plain file, or another user's.
    package static func tail(of path: String, limit: Int) throws(SystemError) -> [UInt8]? {
        guard FileFacts.exists(path) else { return nil }
        let file = try openOwn(path, O_RDONLY)
        try tighten(file.raw, path)
        let size = lseek(file.raw, 0, SEEK_END)
        guard size >= 0, lseek(file.raw, max(0, size - off_t(limit)), SEEK_SET) >= 0 else {
            throw SystemError("lseek(\(path))")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < limit {
            let count = chunk.withUnsafeMutableBytes { buffer in
                retryingInterrupts { read(file.raw, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else { throw SystemError("read(\(path))") }
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<min(count, limit - bytes.count)])
        }
        return bytes
    }

    /// Makes a directory of mode 0700 and the ones above it.
    package static func makeDirectory(_ path: String) throws(SystemError) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR, errno != EROFS {
                throw SystemError("mkdir(\(made))")
            }
        }
    }

    // O_NONBLOCK so that a pipe of that name doesn't hold the program.
    private static func openOwn(
        _ path: String, _ flags: Int32
    ) throws(SystemError) -> FileDescriptor {
        let raw = DescriptorReserve.shared.lend {
            open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        }
        guard raw >= 0 else { throw SystemError("open(\(path))") }
        let file = FileDescriptor(taking: raw)
        let facts = try FileFacts.of(descriptor: file.raw)
        guard facts.kind == .file else {
            throw SystemError("\(path) is \(facts.kind.description)", code: EINVAL)
        }
        guard facts.owner == geteuid() else {
            throw SystemError("\(path) belongs to uid \(facts.owner)", code: EACCES)
        }
        guard facts.links == 1 else {
            throw SystemError("\(path) has \(facts.links) names", code: EACCES)
        }
        return file
    }
}
#endif
