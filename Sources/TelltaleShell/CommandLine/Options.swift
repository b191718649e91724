package import TelltaleProtocol

/// What stands before the target on the command line.
package struct Options: Sendable, Equatable {
    package enum Color: String, Sendable {
        case auto, always, never
    }

    /// Instead of a command.
    package enum Page: Sendable, Equatable { case help, version }

    /// Answers as JSON documents.
    package var json = false
    /// How long a command may take; nil for the agent's own bounds.
    package var timeout: Duration?
    package var color = Color.auto
    /// Long output goes to the terminal as it is.
    package var noPager = false
    package var page: Page?
    /// Swift processes without an agent are listed too.
    package var all = false
    /// The target, the command and its arguments.
    package var words: [String] = []

    package init() {}

    /// Reads the arguments of the program, without its name.
    ///
    /// Options of the client end with the command's word: what follows is the command's own. `--json` is
    /// taken there too; as a value it is written as a string, in quotes.
    package init(
        parsing arguments: [String], isCommand: (String) -> Bool
    ) throws(CommandFailure) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                words.append(word)
                // The second word is the command, and the first may be one.
                if words.count == 2 || isCommand(word) {
                    takeCommand(rest)
                    return
                }
                continue
            }
            try read(word, &rest)
        }
    }

    private mutating func takeCommand(_ arguments: ArraySlice<String>) {
        if arguments.contains("--json") { json = true }
        words += arguments.filter { $0 != "--json" }
    }

    private static let names = [
        "--json", "--all", "--timeout", "--color", "--no-pager", "--version", "--help",
    ]

    private mutating func read(
        _ word: String, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        let attached = parts.count == 2 ? String(parts[1]) : nil
        switch name {
        case "--json", "--all", "--no-pager", "--help", "-h", "--version":
            if let attached {
                throw Self.failure("\(name) takes no value, and got '\(attached)'")
            }
        default: break
        }
        switch name {
        case "--json": json = true
        case "--all": all = true
        case "--no-pager": noPager = true
        case "--help", "-h": page = .help
        case "--version": page = .version
        case "--timeout":
            let text = try value(of: name, attached, &rest)
            guard let duration = Self.duration(text) else {
                throw Self.failure(
                    "'\(text)' is not a time between 1ms and 1h", example: "--timeout 5s")
            }
            timeout = duration
        case "--color":
            let text = try value(of: name, attached, &rest)
            guard let color = Color(rawValue: text) else {
                throw Self.failure(
                    "'\(text)' is not auto, always or never", example: "--color never")
            }
            self.color = color
        default:
            let near = NearestNames.of(name, among: Self.names).joined(separator: " or ")
            throw Self.failure(
                "unknown option '\(name)'" + (near.isEmpty ? "" : "; did you mean \(near)?"))
        }
    }

    private func value(
        of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) -> String {
        if let attached { return attached }
        if let next = rest.popFirst() { return next }
        throw Self.failure("\(name) needs a value")
    }

    private static func failure(_ message: String, example: String = "") -> CommandFailure {
        CommandFailure(
            .usage, message,
            hint: example.isEmpty
                ? "`telltale --help` lists the options; a command's own stand behind the command"
                : "for example `telltale \(example) photo-manager status`")
    }

    /// `5s`, `500ms`, `1.5s`, `2m`, or seconds without a unit; from 1 ms to an hour.
    package static func duration(_ text: String) -> Duration? {
        guard let seconds = TypedTime.seconds(text), (0.001...3_600).contains(seconds) else {
            return nil
        }
        return .milliseconds(Int64((seconds * 1_000).rounded()))
    }
}
