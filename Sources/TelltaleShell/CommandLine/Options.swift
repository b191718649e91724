package import TelltaleProtocol

/// The options before the target on the command line.
package struct Options: Sendable, Equatable {
    package enum Color: String, Sendable {
        case auto, always, never
    }

    /// Instead of a command.
    package enum Page: Sendable, Equatable {
        case help, version, manual
        case completion(CompletionScript)
        /// The completions of the words behind it, for the completion scripts.
        case candidates
    }

    /// Answers as JSON documents.
    package var json = false
    /// Each document on a line of its own, as it comes.
    package var jsonLines = false
    /// The time limit of a command; `nil` for the agent's own bounds.
    package var timeout: Duration?
    package var color = Color.auto
    /// Long output goes to the terminal as it is.
    package var noPager = false
    package var page: Page?
    /// Prints only answers and failures.
    package var quiet = false
    /// Also lists Swift processes without an agent.
    package var all = false
    /// The target, the command and its arguments.
    package var words: [String] = []

    package init() {}

    /// Reads the arguments of the program, without its name.
    ///
    /// Options of the client end with the command's word: the words after it are the command's own.
    /// `--json` is taken there too, with `=lines` or without; as a value it is written as a string,
    /// in quotes.
    package init(
        parsing arguments: [String], isCommand: (String) -> Bool
    ) throws(CommandFailure) {
        var rest = arguments[...]
        if rest.first == Self.candidates {
            page = .candidates
            words = Array(rest.dropFirst().first == "--" ? rest.dropFirst(2) : rest.dropFirst())
            return
        }
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
        if arguments.contains(Self.lines) { (json, jsonLines) = (true, true) }
        words += arguments.filter { !Self.jsonWords.contains($0) }
    }

    static let lines = "--json=lines"
    /// Options that may stand anywhere on a line.
    static let jsonWords = ["--json", lines]
    /// The option of the completion scripts, which is never typed.
    static let candidates = "--candidates"

    /// The syntax and the effect of each option; help, man page and completion are made of it.
    package static let table: [(syntax: String, text: String)] = [
        ("--json", "one JSON document, also for errors; an array for a script"),
        (lines, "one JSON document per line, streamed (scripts, watch, dump)"),
        ("--all", "also list Swift processes without an agent"),
        ("--timeout 5s", "how long an agent may take (500ms, 5s, 2m)"),
        ("--color auto|always|never", "colour; auto also heeds NO_COLOR"),
        ("--no-pager", "do not page long output"),
        ("--quiet, -q", "print only results and errors"),
        ("--completion bash|zsh|fish", "a script by which the shell completes telltale's words"),
        ("--man", "the manual page, for man"),
        ("--version", "the version and the licences"),
        ("--help, -h", "this text"),
    ]

    /// Their names, without values and other spellings.
    package static let names: [String] = table.map { entry in
        String(entry.syntax.prefix { !" ,".contains($0) })
    }.filter { $0 != lines }

    private mutating func read(
        _ word: String, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        let attached = parts.count == 2 ? String(parts[1]) : nil
        switch name {
        case "--all", "--no-pager", "--quiet", "-q", "--man", "--help", "-h", "--version":
            if let attached {
                throw Self.failure("\(name) takes no value, and got '\(attached)'")
            }
        default: break
        }
        switch name {
        case "--json":
            guard attached == nil || attached == "lines" else {
                throw Self.failure("--json takes no value but lines, and got '\(attached ?? "")'")
            }
            json = true
            jsonLines = jsonLines || attached != nil
        case "--all": all = true
        case "--no-pager": noPager = true
        case "--quiet", "-q": quiet = true
        case "--help", "-h": page = .help
        case "--version": page = .version
        case "--man": page = .manual
        case "--completion":
            let text = try value(of: name, attached, &rest)
            guard let script = CompletionScript(rawValue: text) else {
                throw Self.failure(
                    "'\(text)' is not bash, zsh or fish", example: "--completion bash")
            }
            page = .completion(script)
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
                ? "`telltale --help` lists the options; a command's own options follow the command"
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
