#if TELLTALE_COMPILED
import CTelltaleSystem
import Glibc

/// The user and process at the other end of a socket, as the kernel says.
package struct PeerCredentials: Sendable, Equatable {
    package var uid: UInt32
    /// 0 if the peer's pid namespace can't be seen from here.
    package var pid: Int32
}

/// Stream sockets in the file system. Every descriptor is closed on exec.
package enum UnixSocket {
    /// The longest path that fits the kernel's address, without its closing zero: 107.
    package static var longestPath: Int {
        MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
    }

    /// Makes a socket at `path` that only its owner can open, and listens on it.
    ///
    /// The mode is 0600 before `listen`, whatever the process's umask is: until then a connection
    /// is refused by the kernel.
    ///
    /// - Throws: `SystemError`; nothing stays behind at `path`.
    package static func listen(at path: String, backlog: Int32) throws(SystemError)
        -> FileDescriptor
    {
        let socket = try make()
        try socket.setNonblocking()
        try withAddress(path) { address, length throws(SystemError) in
            guard bind(socket.raw, address, length) == 0 else {
                throw SystemError("bind(\(path))")
            }
        }
        // fchmod on a bound socket changes the inode of the socket and not of the file.
        guard chmod(path, 0o600) == 0 else {
            let error = SystemError("chmod(\(path), 0600)")
            unlink(path)
            throw error
        }
        guard Glibc.listen(socket.raw, backlog) == 0 else {
            let error = SystemError("listen(\(path))")
            unlink(path)
            throw error
        }
        return socket
    }

    /// Takes the next connection, without waiting; nil when none is waiting.
    ///
    /// If there is no descriptor for it, `isTaken` takes it in another way; a reserved one is
    /// released only if that fails.
    package static func accept(
        from listener: Int32, insteadOfGivingUp isTaken: () -> Bool = { false }
    ) throws(SystemError) -> FileDescriptor? {
        var raw = retryingInterrupts { ctelltale_accept(listener) }
        if raw < 0, errno == EMFILE {
            if isTaken() { return nil }
            // The last of the reserve are for files that are then read for the client.
            raw = DescriptorReserve.shared.lend(keeping: 2) {
                retryingInterrupts { ctelltale_accept(listener) }
            }
        }
        if raw >= 0 { return FileDescriptor(taking: raw) }
        // The peer may have gone again while it waited.
        if errno == EAGAIN || errno == EWOULDBLOCK || errno == ECONNABORTED { return nil }
        throw SystemError("accept")
    }

    /// Connects to the socket at `path`.
    ///
    /// A listener whose queue is full makes `connect` wait, so the socket doesn't block and is asked
    /// again until `deadline`.
    ///
    /// - Throws: `SystemError`; `ETIMEDOUT` at the deadline, `ECONNREFUSED` without a listener.
    package static func connect(
        to path: String, deadline: MonotonicTime
    ) throws(SystemError) -> FileDescriptor {
        let socket = try make()
        try socket.setNonblocking()
        while true {
            var failure: Int32 = 0
            try withAddress(path) { address, length throws(SystemError) in
                let result = retryingInterrupts { Glibc.connect(socket.raw, address, length) }
                failure = result == 0 ? 0 : errno
            }
            if failure == 0 || failure == EISCONN { return socket }
            guard failure == EAGAIN || failure == EINPROGRESS else {
                throw SystemError("connect(\(path))", code: failure)
            }
            // A full queue of a Unix socket can't be polled for; look again after a moment.
            guard deadline > .now else {
                throw SystemError("connect(\(path))", code: ETIMEDOUT)
            }
            _ = poll(nil, 0, min(2, max(1, deadline.pollTimeout)))
        }
    }

    package static func peer(of socket: Int32) throws(SystemError) -> PeerCredentials {
        var uid: uid_t = 0
        var pid: pid_t = 0
        guard ctelltale_peer(socket, &uid, &pid) == 0 else {
            throw SystemError("getsockopt(SO_PEERCRED)")
        }
        return PeerCredentials(uid: uid, pid: pid)
    }

    package enum ReadResult: Sendable, Equatable {
        case bytes(Int), end, timedOut, failed(Int32)
    }

    /// Reads the available bytes into `buffer`, waiting until `deadline` for the first byte.
    ///
    /// Each time before bytes are taken, and once a second, it checks that the number still is the
    /// socket's: if the host has closed it, `poll` continues with the new owner of its number.
    ///
    /// If it `waitsFirst`, there is nothing to read as a rule: it waits before it tries to read,
    /// which saves two calls of the kernel.
    ///
    /// - Returns: The outcome; the end if the socket isn't ours any more.
    package static func read(
        from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer,
        until deadline: MonotonicTime, waitsFirst: Bool = false, while isOurs: (() -> Bool)? = nil
    ) -> ReadResult {
        var waits = waitsFirst
        while true {
            if waits {
                waits = false
                switch wait(for: descriptor, until: deadline, isOurs) {
                case .ready: break
                case .timedOut: return .timedOut
                case .failed, .interrupted: return .end
                }
            }
            if let isOurs, !isOurs() { return .end }
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: waits = true
            case ECONNRESET: return .end
            default: return .failed(errno)
            }
        }
    }

    /// Writes all of `bytes` and raises no SIGPIPE; ours as in ``read(from:into:until:while:)``.
    ///
    /// - Returns: false if the peer has gone, or has not read within `deadline`.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, until deadline: MonotonicTime,
        while isOurs: (() -> Bool)? = nil
    ) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            if let isOurs, !isOurs() { return false }
            guard let count = writeAtOnce(rest, to: descriptor) else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            guard
                count > 0
                    || wait(for: descriptor, toWrite: true, until: deadline, isOurs) == .ready
            else { return false }
        }
        return true
    }

    /// Writes as much as possible without waiting, and raises no SIGPIPE.
    ///
    /// - Returns: The number of bytes, which may be 0; `nil` if the peer has gone.
    package static func writeAtOnce(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int? {
        while true {
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = send(descriptor, bytes.baseAddress, bytes.count, flags)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return 0
            default: return nil
            }
        }
    }

    /// Waits; a descriptor whose ownership has to be checked counts as ready once a second.
    private static func wait(
        for descriptor: Int32, toWrite: Bool = false, until deadline: MonotonicTime,
        _ isOurs: (() -> Bool)?
    ) -> DescriptorWait.Outcome {
        let second = MonotonicTime.now.advanced(by: .seconds(1))
        let end = isOurs == nil ? deadline : min(deadline, second)
        let outcome = DescriptorWait.wait(for: descriptor, toWrite: toWrite, until: end)
        return outcome == .timedOut && end < deadline ? .ready : outcome
    }

    private static func make() throws(SystemError) -> FileDescriptor {
        let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw SystemError("socket") }
        return FileDescriptor(taking: raw)
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
    ) throws(SystemError) {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        guard bytes.count <= longestPath, !bytes.contains(0) else {
            throw SystemError(
                "\(path) has \(bytes.count) bytes and a socket's path at most \(longestPath)",
                code: ENAMETOOLONG)
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        var failure: SystemError?
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                do throws(SystemError) {
                    try body(generic, socklen_t(MemoryLayout<sockaddr_un>.size))
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
    }
}

/// Ends a connection without closing its descriptor, which another thread may be reading from.
package enum SocketShutdown {
    /// Shuts down both directions; a reader finds the end.
    package static func both(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Returns whether the other end was closed, or shut down in both directions; an end that sends
    /// nothing more and still reads is not. Waits for nothing.
    package static func isDone(_ descriptor: Int32) -> Bool {
        // POLLHUP of a Unix socket means both directions (`unix_poll`); it is told unasked.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        let ends = Int32(POLLHUP) | Int32(POLLERR) | Int32(POLLNVAL)
        return poll(&entry, 1, 0) > 0 && Int32(entry.revents) & ends != 0
    }
}
#endif
