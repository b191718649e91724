#if TELLTALE_COMPILED
import Glibc

extension PrivateFile {
    /// Puts `bytes` at `path` in one step.
    ///
    /// A reader sees the old file or the new one, never half. The new one has no name until it is
    /// complete (`O_TMPFILE`), or a unique one if the file system can't do that; so no other file
    /// in the directory is in its way, and a process that ends meanwhile leaves nothing behind.
    ///
    /// - Parameters:
    ///   - path: The path. A file there is replaced, also a link (not its target); a directory is
    ///     refused.
    ///   - bytes: What the file holds then, with mode 0600.
    ///   - mayReplace: Returns whether the existing file may be replaced; asked right before.
    /// - Throws: `SystemError`; the existing file is then unchanged.
    package static func replace(
        _ path: String, with bytes: some Collection<UInt8>,
        where mayReplace: (String) -> Bool = { _ in true }
    ) throws(SystemError) {
        if let old = try? FileFacts.of(path), old.kind != .file, old.kind != .link {
            throw SystemError(
                "\(path) is \(old.kind.description)",
                code: old.kind == .directory ? EISDIR : EEXIST)
        }
        do throws(SystemError) {
            try write(bytes, to: path, by: NewFile(for: path), where: mayReplace)
        } catch {
            // Some file systems make a file without a name and then refuse it one.
            guard error.call == NewFile.naming else { throw error }
            try write(bytes, to: path, by: NewFile(named: path), where: mayReplace)
        }
    }

    private static func write(
        _ bytes: some Collection<UInt8>, to path: String, by new: consuming NewFile,
        where mayReplace: (String) -> Bool
    ) throws(SystemError) {
        // The umask may have taken bits away, and ACLs of the directory may have added some.
        guard fchmod(new.file.raw, 0o600) == 0 else {
            throw SystemError("chmod(\(path), 0600)")
        }
        guard new.file.isOurs else { throw SystemError("write(\(path))", code: EBADF) }
        try DescriptorWriter.write(bytes, to: new.file.raw, name: path, raisesSignal: false)
        try new.put(at: path, where: mayReplace)
    }
}

/// A file that is being written, and that is invisible before it is complete.
private struct NewFile: ~Copyable {
    let file: FileDescriptor
    /// Its temporary name; `nil` if it has none.
    private let temporary: String?

    /// The call in the error that ``put(at:where:)`` throws if the file can't get a name.
    static let naming = "linkat(/proc/thread-self/fd)"

    private init(_ file: consuming FileDescriptor, temporary: String?) {
        self.file = file
        self.temporary = temporary
    }

    /// A file without a name, if the file system can do that.
    init(for path: String) throws(SystemError) {
        // O_TMPFILE, which Swift's Glibc module doesn't have.
        let flags = 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC
        let raw = DescriptorReserve.shared.lend {
            open(Self.directory(of: path), flags, 0o600)
        }
        if raw >= 0 {
            let unnamed = FileDescriptor(taking: raw)
            // It gets its name through /proc; without /proc it can't get one.
            if FileFacts.exists(Self.link(to: raw)) {
                self.init(unnamed, temporary: nil)
                return
            }
        }
        try self.init(named: path)
    }

    /// A file with a unique name.
    init(named path: String) throws(SystemError) {
        while true {
            let name = Self.uniqueName(beside: path)
            let raw = DescriptorReserve.shared.lend {
                open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            if raw < 0, errno == EEXIST { continue }
            guard raw >= 0 else { throw SystemError("open(\(name))") }
            self.init(FileDescriptor(taking: raw), temporary: name)
            return
        }
    }

    deinit { if let temporary { unlink(temporary) } }

    func put(at path: String, where mayReplace: (String) -> Bool) throws(SystemError) {
        if link(at: path) { return }
        guard errno == EEXIST || temporary != nil else { throw SystemError(Self.naming) }
        if FileFacts.exists(path), !mayReplace(path) {
            throw SystemError("\(path) is there and is somebody else's", code: EEXIST)
        }
        var name = temporary
        while name == nil {
            let unique = Self.uniqueName(beside: path)
            if link(at: unique) { name = unique }
            guard name != nil || errno == EEXIST else { throw SystemError(Self.naming) }
        }
        guard let name, rename(name, path) == 0 else {
            let error = SystemError("rename(\(path))")
            if let name { unlink(name) }
            throw error
        }
    }

    // `link` never replaces an existing file. A file system without links says EPERM.
    private func link(at path: String) -> Bool {
        if let temporary { return linkat(AT_FDCWD, temporary, AT_FDCWD, path, 0) == 0 }
        return linkat(AT_FDCWD, Self.link(to: file.raw), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }

    // The thread's own: a main thread that has ended shows no descriptors.
    private static func link(to descriptor: Int32) -> String {
        "/proc/thread-self/fd/\(descriptor)"
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    // The pid and 64 random bits, hidden from `ls`.
    private static func uniqueName(beside path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0.prefix(64)) } ?? ""
        let number = String(UInt64.random(in: 0...(.max)), radix: 36)
        return "\(directory(of: path))/.\(name).\(getpid()).\(number).tmp"
    }
}
#endif
