#if TELLTALE_COMPILED
import Glibc

/// A program that reads what we write to it, such as a pager.
package struct ChildProcess: ~Copyable {
    private let pid: pid_t
    private let input: FileDescriptor

    /// Starts `/bin/sh -c command` with a pipe as its standard input.
    ///
    /// The child gets the default action of the signals that the client ignores or catches.
    package init(shell command: String) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError("pipe") }
        let reading = FileDescriptor(taking: ends[0])
        let writing = FileDescriptor(taking: ends[1])
        for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) < 0 { throw SystemError("fcntl") }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, reading.raw, 0)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        sigaddset(&defaults, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let words = ["sh", "-c", command]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, environ)
        guard failure == 0 else { throw SystemError("posix_spawn(/bin/sh)", code: failure) }
        pid = child
        input = writing
    }

    /// Writes to the child's standard input.
    ///
    /// - Returns: false once it no longer reads, which for a pager means that it was left.
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
        var status: Int32 = 0
        guard retryingInterrupts({ waitpid(child, &status, 0) }) == child else { return 127 }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    /// Whether a program of this name is in one of the directories of `path`.
    package static func isInstalled(_ program: String, path: String) -> Bool {
        path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
#endif
