#if TELLTALE_COMPILED
import Glibc

/// Writes to the process's standard error. A write never waits for the reader beyond its deadline.
package enum StandardError {
    /// The maximum of bytes in one write: a pipe takes them atomically, so that lines of several
    /// writers don't mix.
    package static let largestWrite = 4096

    /// The descriptor at the first call.
    private static let began = OwnDescriptor(STDERR_FILENO)

    /// Records the process's standard error; to be called at the agent's start.
    package static func remember() {
        _ = began.raw
        _ = link
    }

    /// The kernel's name of it at the first call.
    private static let link = ProcessFiles.link("/proc/self/fd/2")

    /// Writes a line where `fstat` or `poll` are refused, so that nothing else can be written: only to the file that
    /// it was at the start, and without waiting for room.
    package static func writeLast(_ line: String) {
        guard let link, ProcessFiles.link("/proc/self/fd/2") == link else { return }
        let bytes = fitting(line)
        if link.hasPrefix("socket:") {
            send(STDERR_FILENO, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        } else if link.hasPrefix("/"), !link.hasPrefix("/dev/") {
            _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
        } else {
            let raw = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            guard raw >= 0 else { return }
            _ = Glibc.write(raw, bytes, bytes.count)
            close(raw)
        }
    }

    /// Indicates that number 2 is a place for messages: the file it was at the start, or one that
    /// was put there for messages since. A service that closes its standard error may get the
    /// number again for a connection or for a file of its data.
    package static var isForMessages: Bool {
        if began.isOurs { return true }
        var facts = stat()
        guard fstat(STDERR_FILENO, &facts) == 0 else { return false }
        // `dup2` leaves a descriptor open on exec, as a standard stream is; most that open files and
        // sockets for themselves don't.
        let flags = fcntl(STDERR_FILENO, F_GETFL)
        guard flags >= 0, fcntl(STDERR_FILENO, F_GETFD) & FD_CLOEXEC == 0,
            flags & O_ACCMODE != O_RDONLY
        else { return false }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: return flags & O_APPEND != 0 || flags & O_ACCMODE == O_WRONLY
        case S_IFCHR, S_IFIFO: return true
        default: return false
        }
    }

    /// Writes complete lines, several to a write; none if number 2 is something else by now.
    ///
    /// The descriptor's flags belong to the host, and to all processes that share the open file,
    /// and are not touched: a pipe or a terminal is opened a second time, without blocking. `poll`
    /// alone is not enough: another writer may take the space that it promised, and a terminal that
    /// has space for a few bytes blocks the writer of more until it is read.
    ///
    /// - Parameters:
    ///   - lines: Without their line ends. A line over 4,095 bytes is cut, with a mark.
    ///   - deadline: The time at which the rest is abandoned.
    /// - Returns: The number of lines written.
    package static func write(lines: [String], until deadline: MonotonicTime) -> Int {
        guard isForMessages else { return 0 }
        let target = Target()
        var written = 0
        var pending: [UInt8] = []
        var pendingLines = 0
        func flush() -> Bool {
            guard !pending.isEmpty else { return true }
            guard pending.withUnsafeBytes({ target.write($0, until: deadline) }) else {
                return false
            }
            written += pendingLines
            pending.removeAll(keepingCapacity: true)
            pendingLines = 0
            return true
        }
        for line in lines {
            let bytes = fitting(line)
            if pending.count + bytes.count > largestWrite, !flush() { return written }
            pending.append(contentsOf: bytes)
            pendingLines += 1
        }
        _ = flush()
        return written
    }

    /// The current standard error, opened so that no write to it waits, if that is possible.
    private struct Target: ~Copyable {
        private enum Kind { case socket, nonblocking, plain }

        private let kind: Kind
        /// A descriptor of our own if it is nonblocking, closed with this object.
        private let descriptor: Int32
        private let own: OwnDescriptor

        init() {
            var status = stat()
            let type = fstat(STDERR_FILENO, &status) == 0 ? status.st_mode & S_IFMT : 0
            // A plain file is not opened again: the second opening would begin at its start.
            let raw =
                type == S_IFIFO || type == S_IFCHR
                ? open(StandardError.path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
            kind = type == S_IFSOCK ? .socket : raw >= 0 ? .nonblocking : .plain
            descriptor = raw >= 0 ? raw : STDERR_FILENO
            own = OwnDescriptor(descriptor)
        }

        deinit { if kind == .nonblocking { own.close() } }

        /// Writes all of `bytes`; false if there was no room for them until `deadline`.
        func write(_ bytes: UnsafeRawBufferPointer, until deadline: MonotonicTime) -> Bool {
            var rest = bytes
            while !rest.isEmpty {
                guard DescriptorWait.wait(for: descriptor, toWrite: true, until: deadline) == .ready
                else { return false }
                guard own.isOurs else { return false }
                let count = retryingInterrupts {
                    kind == .socket
                        ? Self.sendNow(rest, to: descriptor)
                        : systemWrite(descriptor, rest.baseAddress, rest.count)
                }
                if count > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else {
                    guard count < 0, errno == EAGAIN || errno == EWOULDBLOCK, deadline > .now
                    else { return false }
                    // A terminal may say that it has room and take nothing.
                    _ = poll(nil, 0, 1)
                }
            }
            return true
        }

        private static func sendNow(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int {
            send(
                socket, bytes.baseAddress, bytes.count,
                Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
    }

    private static let path = "/proc/self/fd/2"

    /// A line with its end, at most `largestWrite` bytes, cut between characters.
    package static func fitting(_ line: String) -> [UInt8] {
        let utf8 = line.utf8
        if utf8.count < largestWrite { return Array(utf8) + [0x0A] }
        let mark = " …line cut"
        let room = largestWrite - 1 - mark.utf8.count
        var end = utf8.index(utf8.startIndex, offsetBy: room)
        while end > utf8.startIndex, UTF8.isContinuation(utf8[end]) {
            end = utf8.index(before: end)
        }
        return Array(utf8[..<end]) + Array(mark.utf8) + [0x0A]
    }
}

/// `write(2)`, whose name methods of ours hide.
func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    WriteSignals.blocked { Glibc.write(descriptor, buffer, count) }
}
#endif
