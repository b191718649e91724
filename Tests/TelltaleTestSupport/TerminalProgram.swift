import Foundation
import TelltaleSystem

/// A program at a terminal of its own: what is typed to it, and what it shows.
package final class TerminalProgram {
    /// What did not happen.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The program's process id.
    package let pid: Int32
    private let terminal: FileDescriptor
    private var unread = ""
    private var status: Int32?

    /// Starts a program as the leader of a session whose terminal is a new pseudo-terminal.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: All of its environment but `TERM` and `PATH`.
    ///   - rows: The height of the terminal.
    ///   - columns: Its width.
    /// - Throws: ``Failure``
    package init(
        _ path: String, _ arguments: [String], environment: [String: String], rows: Int = 24,
        columns: Int = 80
    ) throws {
        var controller: Int32 = -1
        var other: Int32 = -1
        var size = winsize(
            ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns), ws_xpixel: 0,
            ws_ypixel: 0)
        guard openpty(&controller, &other, nil, nil, &size) == 0 else {
            throw Failure(description: "no pseudo-terminal: errno \(errno)")
        }
        terminal = FileDescriptor(taking: controller)
        let follower = FileDescriptor(taking: other)
        guard fcntl(controller, F_SETFD, FD_CLOEXEC) == 0, fcntl(other, F_SETFD, FD_CLOEXEC) == 0,
            let name = ttyname(follower.raw).map({ String(cString: $0) })
        else { throw Failure(description: "the pseudo-terminal has no name: errno \(errno)") }
        var environment = environment
        environment["TERM"] = environment["TERM"] ?? "xterm"
        environment["PATH"] = environment["PATH"] ?? "/usr/bin:/bin"
        // A session's leader without a terminal gets the first one that it opens.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which glibc shows to GNU sources only
        // A thread of Dispatch, on which a test may run, has nearly every signal blocked.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
        guard failure == 0 else { throw Failure(description: "\(path): errno \(failure)") }
        pid = child
    }

    /// Types text; a newline is the return key.
    package func type(_ text: String) throws {
        try DescriptorWriter.write(
            text.replacing("\n", with: "\r").utf8, to: terminal.raw, name: "the terminal")
    }

    /// Waits until the program has shown `text`.
    ///
    /// - Parameters:
    ///   - text: What is waited for.
    ///   - limit: When to give up.
    /// - Returns: What it showed since the last match, up to and with this one.
    /// - Throws: ``Failure`` with what it showed instead.
    @discardableResult
    package func wait(for text: String, limit: Duration = .seconds(60)) throws -> String {
        let deadline = MonotonicTime.now.advanced(by: limit)
        while true {
            if let found = unread.firstRange(of: text) {
                let shown = String(unread[..<found.upperBound])
                unread = String(unread[found.upperBound...])
                return shown
            }
            guard DescriptorWait.wait(for: terminal.raw, interrupt: nil, until: deadline) == .ready
            else { throw Failure(description: "no '\(text)' in '\(unread)'") }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(terminal.raw, &bytes, bytes.count)
            guard count > 0 else {
                throw Failure(description: "it ended; no '\(text)' in '\(unread)'")
            }
            unread += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    /// What it shows from now on until it ends, or until 30 s have gone by.
    package func readToEnd() -> String {
        let deadline = MonotonicTime.now.advanced(by: .seconds(30))
        while DescriptorWait.wait(for: terminal.raw, interrupt: nil, until: deadline) == .ready {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(terminal.raw, &bytes, bytes.count)
            guard count > 0 else { break }
            unread += String(decoding: bytes[..<count], as: UTF8.self)
        }
        defer { unread = "" }
        return unread
    }

    /// Waits for its end; after 30 s it is ended by SIGKILL.
    ///
    /// - Returns: Its exit status; 128 and the signal's number where a signal ended it.
    package func waitUntilExit() -> Int32 {
        if let status { return status }
        let deadline = MonotonicTime.now.advanced(by: .seconds(30))
        // What it still has to say must not hold it.
        while true {
            let wait = DescriptorWait.wait(for: terminal.raw, interrupt: nil, until: deadline)
            if wait == .timedOut { kill(pid, SIGKILL) }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(terminal.raw, &bytes, bytes.count)
            guard count > 0 else { break }
            unread += String(decoding: bytes[..<count], as: UTF8.self)
        }
        var raw: Int32 = 0
        guard waitpid(pid, &raw, 0) == pid else { return -1 }
        let ended = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
        status = ended
        return ended
    }

    deinit {
        if status == nil {
            kill(pid, SIGKILL)
            var raw: Int32 = 0
            waitpid(pid, &raw, 0)
        }
    }
}
