#if TELLTALE_COMPILED
import Glibc

/// Starting a program (`posix_spawn`), and waiting for its end; nothing else of ours starts one.
///
/// It begins with no signal blocked and none ignored or caught, so that it is the same whichever thread
/// starts it: one of Dispatch's has nearly every signal blocked.
package enum Spawn {
    /// The target of one of the program's descriptors; those that are not named are the caller's
    /// own.
    package enum Stream: Sendable {
        /// The file that this process has under that number, or the child under an earlier one of
        /// the streams.
        case descriptor(Int32)
        /// To a file that it opens itself, with these flags of `open(2)`.
        case file(String, Int32)
    }

    /// Starts the program at `path`, which is not looked for in PATH. `streams` are made in their order;
    /// in a new session its terminal is the first that it opens. ``waitForEnd(of:)`` is owed.
    package static func start(
        _ path: String, _ arguments: [String], environment: [String: String],
        streams: KeyValuePairs<Int32, Stream>, inNewSession: Bool = false
    ) throws(SystemError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, stream) in streams {
            switch stream {
            case .descriptor(let own):
                posix_spawn_file_actions_adddup2(&actions, own, number)
            case .file(let path, let flags):
                posix_spawn_file_actions_addopen(&actions, number, path, flags, 0)
            }
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID, which glibc shows to GNU sources only.
        let session: Int32 = inNewSession ? 0x80 : 0
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session))
        var child: pid_t = 0
        let code = withStrings([path] + arguments) { arguments in
            withStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&child, path, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw SystemError("posix_spawn(\(path))", code: code) }
        return child
    }

    /// This process's environment, with `changes` added to it, or replacing variables of the same
    /// name.
    package static func environment(with changes: [String: String] = [:]) -> [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry)
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return variables.merging(changes) { $1 }
    }

    /// A pipe (`pipe(2)`), both ends of which are closed on exec, and the caller's to close.
    package static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw SystemError("pipe") }
        // pipe2 is not in Swift's Glibc; a program that another thread starts right here holds them open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Waits for a program's end, for as long as it takes (`waitpid`).
    ///
    /// - Returns: Its exit status, 128 plus the signal's number if a signal ended it; `nil` if it
    ///   is not a child of this process that is still to be reaped.
    package static func waitForEnd(of pid: Int32) -> Int32? {
        var status: Int32 = 0
        guard retryingInterrupts({ waitpid(pid, &status, 0) }) == pid else { return nil }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// Hands on C strings in an array that ends with a null pointer.
    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// A program that reads our output, such as a pager.
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

    /// Returns whether a program of this name is in one of the directories of `path`.
    package static func isInstalled(_ program: String, path: String) -> Bool {
        path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
#endif
