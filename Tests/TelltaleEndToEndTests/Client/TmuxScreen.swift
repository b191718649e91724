import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A program in a window of tmux: its typed input, and the screen that a person sees then.
///
/// The bytes of a program are one thing, and the resulting screen another: the wrapping of a line,
/// the remains of a redraw, the cleaning up of a pager.
final class TmuxScreen {
    /// An event that did not happen, with the screen at that time.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A size that people have.
    struct Size: Sendable, Hashable, CustomTestStringConvertible {
        var columns: Int
        var rows: Int
        static let small = Size(columns: 80, rows: 24)
        static let medium = Size(columns: 120, rows: 40)
        static let large = Size(columns: 200, rows: 50)
        static let both = [small, large]
        static let all = [small, medium, large]
        var testDescription: String { "\(columns)x\(rows)" }
    }

    private static let places = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"]
    private static var path: String? {
        places.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The text after the program has ended, before its exit status.
    static let ended = "ended with "
    private static let script = """
        "$0" "$@"; printf '\\n%s%s\\n' '\(ended)' $?; exec sleep 3600
        """

    /// Indicates that tmux is available; without it, tests that need it are skipped.
    static var isInstalled: Bool { path != nil }

    private let folder: TemporaryFolder
    private let tmux: String

    /// Starts a program in a window of its own server.
    ///
    /// - Parameters:
    ///   - program: Its path.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: All of its environment but `TERM`, `PATH` and the locale.
    ///   - size: The window's size.
    /// - Throws: ``Failure``
    init(
        _ program: String, _ arguments: [String], environment: [String: String], size: Size
    ) throws {
        guard let path = Self.path else { throw Failure(description: "tmux is not installed") }
        tmux = path
        folder = try TemporaryFolder("telltale-tmux")
        let settings = """
            set -g status off
            set -g escape-time 0

            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/settings"))
        let usual = ["TERM": "screen", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        let variables = usual.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
        try ask(
            ["new-session", "-d", "-x", "\(size.columns)", "-y", "\(size.rows)"]
                + ["/usr/bin/env", "-i"] + variables + ["/bin/sh", "-c", Self.script, program]
                + arguments)
        try resize(to: size)
    }

    deinit { _ = try? ask(["kill-server"]) }

    /// Types text as it is.
    func type(_ text: String) throws { try ask(["send-keys", "-l", "--", text]) }

    /// Presses keys by tmux's names: `Enter`, `Tab`, `C-c`, `Up`.
    func press(_ keys: String...) throws { try ask(["send-keys"] + keys) }

    /// Types a line and the return key.
    func enter(_ line: String) throws {
        try type(line)
        try press("Enter")
    }

    func resize(to size: Size) throws {
        try ask(["resize-window", "-x", "\(size.columns)", "-y", "\(size.rows)"])
        // tmux tells the terminal up to a quarter of a second later.
        let name = try ask(["display-message", "-p", "#{pane_tty}"])
        let terminal = open(name.filter { !$0.isNewline }, O_RDONLY | O_NOCTTY)
        defer { close(terminal) }
        try waitUntil("the terminal is \(size.testDescription)") {
            guard let known = TerminalFacts.size(of: terminal) else { return false }
            return known == (size.columns, size.rows)
        }
    }

    /// The rows of the screen, without the spaces at their ends, and without the empty ones below.
    func rows() throws -> [String] { Self.rows(try ask(["capture-pane", "-p"])) }

    /// Returns the rows shown since ``clear()``, those scrolled off the screen first. If `joined`,
    /// a line that the terminal wrapped because it was too wide is one.
    func allRows(joined: Bool = false) throws -> [String] {
        Self.rows(try ask(["capture-pane", "-p", "-S", "-"] + (joined ? ["-J"] : [])))
    }

    /// Returns whether anything on the screen is painted or bold.
    func isColoured() throws -> Bool {
        try ask(["capture-pane", "-p", "-e"]).contains("\u{1B}[")
    }

    /// Forgets the text scrolled off the screen, and has the program's line editor clear the rest.
    func clear() throws {
        try press("C-l")
        try wait("a cleared screen") { $0.count <= 1 }
        try ask(["clear-history"])
    }

    /// Waits for a screen.
    ///
    /// - Parameters:
    ///   - what: The condition, as in "the prompt".
    ///   - holds: Whether the rows are such.
    /// - Returns: The rows.
    /// - Throws: ``Failure`` with the rows that there are 30 s later.
    @discardableResult
    func wait(_ what: String, _ holds: ([String]) -> Bool) throws -> [String] {
        let deadline = MonotonicTime.now.advanced(by: .seconds(30))
        while true {
            let rows = try rows()
            if holds(rows) { return rows }
            guard .now < deadline else {
                throw Failure(
                    description: "no \(what), but:\n" + rows.joined(separator: "\n"))
            }
            usleep(10_000)
        }
    }

    /// Waits until the last row is the prompt again, with nothing behind it.
    @discardableResult
    func waitForPrompt() throws -> [String] {
        try wait("prompt") { $0.last?.hasSuffix(")>") == true }
    }

    private static func rows(_ text: String) -> [String] {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map { row in
            String(row.reversed().drop { $0 == " " }.reversed())
        }
        while rows.last?.isEmpty == true { rows.removeLast() }
        return rows
    }

    @discardableResult
    private func ask(_ arguments: [String]) throws -> String {
        let program = try StartedProgram(
            "/bin/sh",
            [
                "-c", #"exec "$0" "$@" 2>&1"#, tmux, "-S", "\(folder.path)/socket", "-f",
                "\(folder.path)/settings", "-u",
            ] + arguments,
            environment: ["TMUX": "", "LC_ALL": "C.UTF-8"])
        let bytes = program.readToEnd(until: .now.advanced(by: .seconds(30))) ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        guard program.waitUntilExit() == 0 else {
            throw Failure(description: "tmux \(arguments.first ?? ""): \(text)")
        }
        return text
    }
}
