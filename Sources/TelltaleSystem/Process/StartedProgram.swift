#if TELLTALE_COMPILED
import Glibc

/// A program that was started, and the pipe to its standard output or standard error.
///
/// Its standard input is empty. It begins with no signal blocked and none ignored or caught, so that
/// it is the same whichever thread starts it. A child that was not waited for is killed with this
/// object: a benchmark or a test that fails leaves nothing behind.
package final class StartedProgram {
    /// Which of the child's outputs goes into the pipe; the other is the caller's own.
    package enum Captured: Sendable { case output, errors }

    /// The child's process id; another process may have it after ``waitUntilExit()``.
    package let pid: Int32
    private let pipe: FileDescriptor
    private var exitStatus: Int32?

    /// Starts a program (`posix_spawn`).
    ///
    /// - Parameters:
    ///   - path: The program; not looked for in PATH.
    ///   - arguments: Without the program's own name.
    ///   - environment: Added to the caller's, or put in the place of what has the same name.
    ///   - captured: What the pipe holds.
    /// - Throws: `SystemError` of `pipe` or `posix_spawn`, such as `ENOENT`.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:],
        capturing captured: Captured = .output
    ) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard Self.systemPipe(&ends) == 0 else { throw SystemError("pipe") }
        pipe = FileDescriptor(taking: ends[0])
        let writing = FileDescriptor(taking: ends[1])
        // pipe2 is not everywhere; a program that another thread starts right here holds them open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writing.raw, captured == .output ? 1 : 2)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

        var child: pid_t = 0
        let code = Self.withStrings([path] + arguments) { arguments in
            Self.withStrings(Self.environment(with: environment)) { environment in
                posix_spawn(&child, path, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw SystemError("posix_spawn(\(path))", code: code) }
        pid = child
    }

    deinit {
        guard exitStatus == nil else { return }
        kill(pid, SIGKILL)
        _ = waitUntilExit()
    }

    /// `SIGUSR1`, for ``send(_:)`` where libc is not imported.
    package static var userDefined1: Int32 { SIGUSR1 }
    /// `SIGTERM`.
    package static var terminate: Int32 { SIGTERM }

    /// Sends a signal to the child, unless it was waited for.
    package func send(_ signal: Int32) {
        if exitStatus == nil { kill(pid, signal) }
    }

    /// Reads what is in the pipe, waiting until `deadline` for the first byte.
    ///
    /// - Returns: No bytes when the child has closed its end; nil at the deadline.
    package func read(until deadline: MonotonicTime) -> [UInt8]? {
        guard UnixSocket.wait(for: pipe.raw, until: deadline) != .timedOut else { return nil }
        let room = 65_536
        return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            let start = buffer.baseAddress
            count = max(0, retryingInterrupts { Self.systemRead(pipe.raw, start, room) })
        }
    }

    /// Reads until the child has closed its end of the pipe.
    ///
    /// - Returns: At most `limit` bytes; nil where the child went on beyond the limit or `deadline`.
    package func readToEnd(limit: Int = 1 << 26, until deadline: MonotonicTime) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let more = read(until: deadline), bytes.count + more.count <= limit {
            if more.isEmpty { return bytes }
            bytes += more
        }
        return nil
    }

    /// Waits for the child's end, for as long as it takes (`waitpid`).
    ///
    /// - Returns: Its exit status; 128 and the signal's number where a signal ended it.
    package func waitUntilExit() -> Int32 {
        if let exitStatus { return exitStatus }
        var status: Int32 = 0
        _ = retryingInterrupts { waitpid(pid, &status, 0) }
        let signal = status & 0x7f
        let result = signal == 0 ? (status >> 8) & 0xff : 128 + signal
        exitStatus = result
        return result
    }

    private static func environment(with changes: [String: String]) -> [String] {
        var entries: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            let name = text.prefix { $0 != "=" }
            if changes[String(name)] == nil { entries.append(text) }
            next += 1
        }
        return entries + changes.map { "\($0.key)=\($0.value)" }
    }

    /// Hands on C strings in an array that ends with a null pointer.
    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    // The C functions, whose names our own hide inside this type.
    private static func systemPipe(_ ends: inout [Int32]) -> Int32 {
        Glibc.pipe(&ends)
    }

    private static func systemRead(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int {
        Glibc.read(descriptor, buffer, count)
    }
}
#endif
