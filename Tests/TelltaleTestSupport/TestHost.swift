import Foundation
import TelltaleSystem

/// A running `telltale-test-host`: lines go to it and come back, and its standard error is kept.
///
/// It ends with this object.
package final class TestHost {
    /// An event that did not happen in time.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The deadline of owners in hosts whose owners answer, in milliseconds: while another process
    /// has the processor for a second or two, a healthy owner must not be taken for a hanging one.
    /// Below the 5 s of a command.
    package static let ownerDeadline = "4000"

    package let pid: Int32
    /// The folder of its own that its socket lies in.
    package let directory: String
    private let folder: TemporaryFolder
    private let input: FileDescriptor
    private let output: FileDescriptor
    private let errors: FileDescriptor
    private var outputText = ""
    private var errorText = ""
    private var status: Int32?
    private var errorReader: ErrorReader?

    /// Starts a host and waits until it is ready.
    ///
    /// - Parameters:
    ///   - options: Handed on; see the host's `main.swift`.
    ///   - shell: What a shell does before it becomes the host: `ulimit -n 300`.
    ///   - program: Another program than the host that was built with the tests, such as a copy of it.
    ///   - environment: Added to the caller's. Where owners hang `TELLTALE_OWNER_DEADLINE` keeps a test
    ///     short; it is ``ownerDeadline`` otherwise.
    /// - Throws: ``Failure``, or the error that keeps it from starting.
    package init(
        _ options: [String] = [], shell: String? = nil, program: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        folder = try TemporaryFolder("telltale-host")
        directory = "\(folder.path)/agents"
        let path = try program ?? BuiltProgram.path(of: "telltale-test-host")
        let (fromUs, toUs, complaints) = (try Spawn.pipe(), try Spawn.pipe(), try Spawn.pipe())
        let theirs = [fromUs.reading, toUs.writing, complaints.writing]
        input = FileDescriptor(taking: fromUs.writing)
        output = FileDescriptor(taking: toUs.reading)
        errors = FileDescriptor(taking: complaints.reading)
        defer { for end in theirs { close(end) } }
        // The shell becomes the host: its pid is the host's.
        let before = shell.map { ["-c", "set -e; \($0); exec \"$0\" \"$@\"", path] } ?? []
        pid = try Spawn.start(
            shell == nil ? path : "/bin/sh", before + options,
            environment: Spawn.environment(with: [
                "TELLTALE_DIRECTORY": directory, "TELLTALE_OWNER_DEADLINE": Self.ownerDeadline,
                // Tests look for other output on standard error, and for none.
                "TELLTALE_START_LINE": "0",
            ]).merging(environment) { $1 },
            streams: [
                0: .descriptor(theirs[0]), 1: .descriptor(theirs[1]),
                2: .descriptor(theirs[2]),
            ])
        _ = try line(beginning: "READY")
    }

    deinit { end() }

    /// Kills it and waits for its end.
    package func end() {
        guard status == nil else { return }
        kill(pid, SIGKILL)
        var value: Int32 = 0
        waitpid(pid, &value, 0)
        status = value
    }

    /// Indicates that it is running.
    package var isRunning: Bool {
        guard status == nil else { return false }
        var value: Int32 = 0
        if waitpid(pid, &value, WNOHANG) == pid { status = value }
        return status == nil
    }

    /// The signal that ended it, waiting for its end; nil if it exited by itself.
    ///
    /// After 30 s it is ended by SIGKILL, which no test expects.
    package func waitForEndingSignal() -> Int32? {
        if (try? waitUntil("the host has ended", { !isRunning })) == nil { end() }
        let signal = (status ?? 0) & 0x7f
        return signal == 0 ? nil : signal
    }

    /// Has the host run `command`.
    ///
    /// - Returns: Its answer.
    @discardableResult
    package func perform(_ command: String) throws -> String {
        let bytes = Array((command + "\n").utf8)
        guard write(input.raw, bytes, bytes.count) == bytes.count else {
            throw Failure(description: "the host takes no input")
        }
        return String(try line(beginning: "OK").dropFirst(3))
    }

    /// Has the host run `command`, and takes the lines that it prints before its answer.
    ///
    /// - Parameters:
    ///   - command: What to do.
    ///   - start: How the lines that are wanted begin; others are left out.
    /// - Returns: Those lines, and the answer last.
    /// - Throws: ``Failure`` if it doesn't answer.
    package func lines(of command: String, beginning start: String) throws -> [String] {
        let bytes = Array((command + "\n").utf8)
        guard write(input.raw, bytes, bytes.count) == bytes.count else {
            throw Failure(description: "the host takes no input")
        }
        var lines: [String] = []
        while true {
            let line = try line(beginning: "")
            if line.hasPrefix("OK ") { return lines + [String(line.dropFirst(3))] }
            if line.hasPrefix(start) { lines.append(line) }
        }
    }

    /// Asks the host until it answers `answer`.
    ///
    /// - Parameters:
    ///   - command: What to ask for, over and over.
    ///   - answer: The expected answer.
    /// - Throws: ``Overdue`` with the last answer, ``Failure`` if there is none.
    package func wait(for command: String, toBe answer: String) throws {
        try wait(for: command, toBe: "'\(answer)'") { $0 == answer }
    }

    /// Asks the host until its answer is as wanted.
    ///
    /// - Parameters:
    ///   - command: What to ask for, over and over.
    ///   - what: The wanted condition, for the message.
    ///   - holds: Whether an answer is.
    /// - Throws: ``Overdue`` with the last answer, ``Failure`` if there is none.
    package func wait(
        for command: String, toBe what: String, where holds: (String) -> Bool
    ) throws {
        var last = ""
        try waitUntil("the host's '\(command)' is \(what), not '\(last)'") {
            last = try perform(command)
            return holds(last)
        }
    }

    /// Sends it a signal.
    package func send(_ signal: Int32) { kill(pid, signal) }

    /// Has its standard error read from now on, even while no test waits for a text.
    ///
    /// - Throws: The error that keeps a thread from starting.
    package func readErrorsAllTheTime() throws { errorReader = try ErrorReader(errors.raw) }

    /// Waits until its standard error, from the last call's end on, holds `text`.
    ///
    /// - Parameters:
    ///   - text: What is waited for.
    ///   - seconds: How long at most.
    ///   - pid: Who alone stops and continues the host: what it says of other pauses is taken for the
    ///     machine's doing, and left out. Nothing is where nil.
    /// - Returns: All that it wrote until then, from the last call's end on.
    /// - Throws: ``Failure`` with its actual output.
    @discardableResult
    package func waitForError(
        containing text: String, seconds: Int = 60, stoppedBy pid: Int32? = nil
    ) throws -> String {
        let deadline = MonotonicTime.now.advanced(by: .seconds(seconds))
        func heard() -> String {
            pid.map { StolenTime.removed(from: errorText, stoppedBy: $0) } ?? errorText
        }
        var said = heard()
        while !said.contains(text) || !errorText.hasSuffix("\n") {
            let more =
                errorReader.map { $0.take(until: deadline) }
                ?? Self.read(errors.raw, until: deadline)
            guard let more, !more.isEmpty else {
                throw Failure(
                    description: "no '\(text)' on standard error in \(seconds) s but: \(errorText)")
            }
            errorText += more
            said = heard()
        }
        errorText = ""
        return said
    }

    /// The only socket in its directory.
    package func socketPath() throws -> String {
        let names = SocketDirectory(path: directory).sockets().filter { $0.pid == pid }
        guard names.count == 1, let name = names.first else {
            throw Failure(description: "\(names.count) sockets of \(pid) in \(directory)")
        }
        return SocketDirectory(path: directory).path(of: name)
    }

    private func line(beginning start: String) throws -> String {
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        while true {
            if let end = outputText.firstIndex(of: "\n") {
                let line = String(outputText[..<end])
                outputText.removeSubrange(...end)
                if line.hasPrefix(start) { return line }
                continue
            }
            guard let more = Self.read(output.raw, until: deadline), !more.isEmpty else {
                throw Failure(description: "no line '\(start)…' from the host but '\(outputText)'")
            }
            outputText += more
        }
    }

    private static func read(_ descriptor: Int32, until deadline: MonotonicTime) -> String? {
        guard DescriptorWait.wait(for: descriptor, until: deadline) == .ready else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}
