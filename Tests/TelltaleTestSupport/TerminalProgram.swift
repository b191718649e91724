import Foundation
import TelltaleSystem

/// A program at a terminal of its own: its typed input, and its screen.
package final class TerminalProgram {
    /// An event that did not happen.
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
        pid = try Spawn.start(
            path, arguments, environment: environment,
            streams: [0: .file(name, O_RDWR), 1: .descriptor(0), 2: .descriptor(0)],
            inNewSession: true)
    }

    /// Types text; a newline is the return key.
    package func type(_ text: String) throws {
        try DescriptorWriter.write(
            text.replacing("\n", with: "\r").utf8, to: terminal.raw, name: "the terminal")
    }

    /// Gives the terminal another width, as a resized window does.
    package func resize(columns: Int) throws {
        var size = winsize(
            ws_row: 24, ws_col: UInt16(clamping: columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(terminal.raw, UInt(TIOCSWINSZ), &size) == 0 else {
            throw Failure(description: "the terminal keeps its size: errno \(errno)")
        }
    }

    /// Waits until the program has shown `text`.
    ///
    /// - Parameters:
    ///   - text: What is waited for.
    ///   - limit: When to give up.
    /// - Returns: What it showed since the last match, up to and with this one.
    /// - Throws: ``Failure`` with its actual output.
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

    /// Returns its output from now on until it ends, or until 30 s have gone by.
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
        // Its remaining output must not block it.
        while true {
            let wait = DescriptorWait.wait(for: terminal.raw, interrupt: nil, until: deadline)
            if wait == .timedOut { kill(pid, SIGKILL) }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(terminal.raw, &bytes, bytes.count)
            guard count > 0 else { break }
            unread += String(decoding: bytes[..<count], as: UTF8.self)
        }
        guard let ended = Spawn.waitForEnd(of: pid) else { return -1 }
        status = ended
        return ended
    }

    deinit {
        if status == nil {
            kill(pid, SIGKILL)
            _ = Spawn.waitForEnd(of: pid)
        }
    }
}
