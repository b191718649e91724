#if TELLTALE_COMPILED
import Glibc

/// A program that was started, and the pipe to its standard output or standard error.
///
/// Its standard input is empty. A child that was not waited for is killed with this object: a benchmark
/// or a test that fails leaves nothing behind.
package final class StartedProgram {
    /// The child's output that goes into the pipe; the other is the caller's own.
    package enum Captured: Sendable { case output, errors }

    /// The child's process id; another process may have it after ``waitUntilExit()``.
    package let pid: Int32
    private let pipe: FileDescriptor
    private var exitStatus: Int32?

    /// Starts the program at `path`, which is not searched for in PATH; `environment` is added to
    /// the caller's, or replaces variables of the same name.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:],
        capturing captured: Captured = .output
    ) throws(SystemError) {
        let ends = try Spawn.pipe()
        pipe = FileDescriptor(taking: ends.reading)
        let writing = FileDescriptor(taking: ends.writing)
        pid = try Spawn.start(
            path, arguments, environment: Spawn.environment(with: environment),
            streams: [
                0: .file("/dev/null", O_RDONLY),
                (captured == .output ? 1 : 2): .descriptor(writing.raw),
            ])
    }

    deinit {
        guard exitStatus == nil else { return }
        kill(pid, SIGKILL)
        _ = waitUntilExit()
    }

    /// `SIGUSR1`, for ``send(_:)`` where libc is not imported.
    package static var userDefined1: Int32 { SIGUSR1 }
    package static var terminate: Int32 { SIGTERM }

    /// Sends a signal to the child, unless it was waited for.
    package func send(_ signal: Int32) {
        if exitStatus == nil { kill(pid, signal) }
    }

    /// Reads the available bytes of the pipe, waiting until `deadline` for the first byte, or until `interrupt` can be
    /// read.
    ///
    /// - Returns: No bytes when the child has closed its end; nil at the deadline.
    package func read(until deadline: MonotonicTime, interrupt: Int32? = nil) -> [UInt8]? {
        switch DescriptorWait.wait(for: pipe.raw, interrupt: interrupt, until: deadline) {
        case .timedOut, .interrupted: return nil
        case .ready, .failed: break
        }
        let room = 65_536
        return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            let start = buffer.baseAddress
            count = max(0, retryingInterrupts { Glibc.read(pipe.raw, start, room) })
        }
    }

    /// Reads until the child has closed its end of the pipe.
    ///
    /// - Returns: At most `limit` bytes; `nil` if the child continued beyond the limit or
    ///   `deadline`.
    package func readToEnd(
        limit: Int = 1 << 26, until deadline: MonotonicTime, interrupt: Int32? = nil
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let more = read(until: deadline, interrupt: interrupt),
            bytes.count + more.count <= limit
        {
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
        let result = Spawn.waitForEnd(of: pid) ?? 0
        exitStatus = result
        return result
    }
}
#endif
