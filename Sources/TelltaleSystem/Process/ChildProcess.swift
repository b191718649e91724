#if TELLTALE_COMPILED
import Glibc

/// A program that reads what we write to it, such as a pager.
package struct ChildProcess: ~Copyable {
    private let pid: pid_t
    private let input: FileDescriptor

    /// Starts `/bin/sh -c command` with a pipe as its standard input.
    package init(shell command: String) throws(SystemError) {
        let ends = try Spawn.pipe()
        let reading = FileDescriptor(taking: ends.reading)
        let writing = FileDescriptor(taking: ends.writing)
        pid = try Spawn.start(
            "/bin/sh", ["-c", command], environment: Spawn.environment(),
            streams: [0: .descriptor(reading.raw)])
        input = writing
    }

    /// Writes to the child's standard input; false once it no longer reads, which for a pager means
    /// that it was left.
    package func write(_ text: String) -> Bool {
        do throws(SystemError) {
            try DescriptorWriter.write(Array(text.utf8), to: input.raw, name: "the pager")
            return true
        } catch {
            return false
        }
    }

    /// Ends its input and waits for it.
    ///
    /// - Returns: Its exit status, 128 and the signal's number where a signal ended it.
    package consuming func finish() -> Int32 {
        let child = pid
        do { _ = consume input }
        return Spawn.waitForEnd(of: child) ?? 127
    }

    /// Whether a program of this name is in one of the directories of `path`.
    package static func isInstalled(_ program: String, path: String) -> Bool {
        path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
#endif
