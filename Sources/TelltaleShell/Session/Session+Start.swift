import TelltaleProtocol
import TelltaleSystem

extension Session {
    /// Two lines: the service of the session, and the first words to type.
    func greet() {
        let hello = link.hello
        var facts = [
            "\(hello.name) (pid \(link.pid))", "up \(Quantity.uptime(hello.uptimeSeconds))",
            Quantity.bytes(hello.residentBytes), hello.mode,
        ]
        if let user = link.otherUser { facts.append("\(user)'s") }
        output.writeError(
            TerminalText(lines: [
                facts.joined(separator: ", "),
                "doctor: what is wrong   objects: what there is   PATH: a value   help   quit",
            ]))
    }

    /// Runs the lines of the start file; a line that fails is reported with its number, and ends
    /// nothing.
    func runStartFile() {
        guard let startFile else { return }
        defer { startLine = nil }
        for line in StartFile.lines(of: startFile, warning: { output.warn($0) }) {
            startLine = line
            guard (try? run(line, isKept: false)) == true else { return }
        }
    }
}

/// The file of commands that each session begins with, `~/.config/telltale/rc`.
enum StartFile {
    /// Returns its lines; none without a file, or if other users may have written it: a line may
    /// start a program.
    ///
    /// - Parameters:
    ///   - path: Where it is; a link is followed.
    ///   - warning: Takes the sentence that says why it is not run.
    /// - Returns: The lines that say something, in their order.
    static func lines(of path: String, warning: (String) -> Void) -> [String] {
        guard let facts = try? FileFacts.of(path, followingLinks: true) else { return [] }
        guard facts.kind == .file, facts.owner == ProcessIdentity.uid, facts.mode & 0o022 == 0
        else {
            warning(
                "\(path.escaped) was not run: it is not a file that belongs to you and that only you can write"
            )
            return []
        }
        return (SmallFile.text(of: path) ?? "").split(separator: "\n").map(String.init)
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
