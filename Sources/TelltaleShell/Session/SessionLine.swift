import TelltaleProtocol
import TelltaleSystem

/// A line typed at the prompt, taken apart: several commands, and the destination of each answer.
struct SessionLine: Equatable {
    /// The destination of an answer instead of the terminal.
    enum Destination: Equatable {
        /// A line of the user's shell that reads it: `grep ready`.
        case program(String)
        /// A file, which is replaced, or added to.
        case file(String, isAdded: Bool)
    }

    struct Part: Equatable {
        var command: String
        var destination: Destination?
    }

    var parts: [Part] = []

    /// Splits a line. Text in quotes, brackets or a string's escapes separates nothing.
    init(_ line: String) {
        let whole = line.trimmed
        // A comment is one to its end; `#7` is a path.
        if whole.hasPrefix("#"), whole.dropFirst().first?.isNumber != true {
            parts = [Part(command: whole)]
            return
        }
        for piece in Self.split(whole, at: ";") {
            let command = piece.trimmed
            if !command.isEmpty { parts.append(Self.part(command)) }
        }
    }

    private static func part(_ text: String) -> Part {
        let marks = TypedText(text)
        // `a || b` is an expression, and no program begins with a bar.
        if let bar = marks.plain.first(where: { index in
            text[index] == "|" && !marks.isBeside(index, "|") && marks.hasSpaceBefore(index)
        }) {
            let program = text[text.index(after: bar)...].trimmed
            if !program.isEmpty {
                return Part(
                    command: text[..<bar].trimmed, destination: .program(program))
            }
        }
        if let (command, file, isAdded) = file(text, marks) {
            return Part(command: command, destination: .file(file, isAdded: isAdded))
        }
        return Part(command: text)
    }

    /// `> FILE` at the end. A file is known by its slash or `~`: `get a.size > b.size` compares.
    private static func file(_ text: String, _ marks: TypedText) -> (String, String, Bool)? {
        guard let last = marks.plain.last(where: { text[$0] == ">" }),
            marks.hasSpaceBefore(last)
                || marks.isBeside(last, ">")
        else { return nil }
        var name = text[text.index(after: last)...].trimmed
        if name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") {
            name = String(name.dropFirst().dropLast())
        } else if name.contains(" ") {
            return nil
        }
        guard name.contains("/"), !name.hasSuffix("/") else { return nil }
        var before = text[..<last]
        let isAdded = before.last == ">"
        if isAdded { before = before.dropLast() }
        return (before.trimmed, name, isAdded)
    }

    /// Returns whether more has to be typed: a bracket is open, or the line ends with a backslash.
    /// A string ends with its line.
    static func goesOn(_ line: String) -> Bool {
        let marks = TypedText(line)
        return !marks.isQuoted && (marks.isOpen || line.hasSuffix("\\"))
    }

    private static func split(_ line: String, at mark: Character) -> [Substring] {
        let marks = TypedText(line)
        var pieces: [Substring] = []
        var start = line.startIndex
        for index in marks.plain where line[index] == mark {
            pieces.append(line[start..<index])
            start = line.index(after: index)
        }
        return pieces + [line[start...]]
    }
}

/// The positions of a line's strings and brackets.
struct TypedText {
    let text: String
    /// The marks outside of all of them.
    private(set) var plain: [String.Index] = []
    private(set) var isQuoted = false
    private var depth = 0

    /// Indicates that a string or a bracket is not closed.
    var isOpen: Bool { isQuoted || depth > 0 }

    init(_ text: String) {
        self.text = text
        var quotes = TypedQuotes<Character>()
        for index in text.indices {
            let character = text[index]
            guard !quotes.takes(character) else { continue }
            switch character {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth = max(0, depth - 1)
            case ";", "|", ">": if depth == 0 { plain.append(index) }
            default: break
            }
        }
        isQuoted = quotes.isOpen
    }

    func hasSpaceBefore(_ index: String.Index) -> Bool {
        index > text.startIndex && text[text.index(before: index)].isWhitespace
    }

    func isBeside(_ index: String.Index, _ mark: Character) -> Bool {
        let next = text.index(after: index)
        return next < text.endIndex && text[next] == mark
            || index > text.startIndex && text[text.index(before: index)] == mark
    }
}

extension SessionLine.Destination {
    /// Gives an answer to the program, or writes it into the file.
    func take(_ text: TerminalText) throws(CommandFailure) {
        do throws(SystemError) {
            switch self {
            case .program(let line):
                let child = try ChildProcess(shell: line)
                // A program that has read enough, as `head` does, is not an error.
                _ = child.write(text.text)
                _ = child.finish()
            case .file(var name, let isAdded):
                if name.hasPrefix("~/"), let home = ProcessIdentity.environment("HOME") {
                    name = home + name.dropFirst()
                }
                if isAdded {
                    try PrivateFile.append(Array(text.text.utf8), to: name)
                } else {
                    try PrivateFile.replace(name, with: Array(text.text.utf8))
                }
            }
        } catch {
            throw CommandFailure(.hostError, "the answer could not be written: \(error)")
        }
    }
}

extension SessionLine.Part {
    /// Takes `--json` and `--json=lines` out of the command, in any position; in quotes they are
    /// part of a value.
    ///
    /// - Returns: The requested form; neither if the options are absent, or if nothing else is
    ///   there.
    mutating func takeJSON() -> (isAsked: Bool, isLines: Bool) {
        let words = HalfTypedPlace.split(command)
        let taken = words.filter { Options.jsonWords.contains($0.text) }
        guard !taken.isEmpty,
            words.contains(where: {
                !$0.text.isEmpty && !Options.jsonWords.contains($0.text)
            })
        else { return (false, false) }
        var bytes = Array(command.utf8)
        for word in taken.reversed() {
            bytes.removeSubrange(word.start..<(word.start + word.text.utf8.count))
        }
        command = String(decoding: bytes, as: UTF8.self).trimmed
        return (true, taken.contains { $0.text == Options.lines })
    }

    /// A failure, with how a file is written where one may have been meant: `queues > q.txt` compares.
    func explained(_ failure: CommandFailure) -> CommandFailure {
        guard failure.code == .usage || failure.code == .notFound, let file = fileMeant else {
            return failure
        }
        var failure = failure
        let hint = "a file is known by its slash: > ./\(file)"
        failure.hint = failure.hint.map { "\($0)\n\(hint)" } ?? hint
        return failure
    }

    private var fileMeant: String? {
        let marks = TypedText(command)
        guard destination == nil, let last = marks.plain.last(where: { command[$0] == ">" }),
            marks.hasSpaceBefore(last) || marks.isBeside(last, ">")
        else { return nil }
        let name = command[command.index(after: last)...].trimmed
        guard let first = name.first, first.isLetter, !name.contains(" "), !name.contains("/")
        else { return nil }
        return name
    }
}

extension Presentation {
    /// The request of a line, as it is sent; `nil` for a line without a command.
    func request(_ line: String) throws(CommandFailure) -> Request? {
        try CommandLineParser.parse(line).map(sent)
    }

    /// The request as it is sent for this presentation: as text, objects that lead back are one line.
    func sent(_ request: Request) -> Request {
        guard !json, let command = request.command as? any BriefCommand.Type else { return request }
        var request = request
        request.parameters = command.brief(request.parameters)
        return request
    }

    /// The same, as JSON where a line asks for it.
    func asked(_ json: (isAsked: Bool, isLines: Bool)) -> Presentation {
        var asked = self
        asked.json = asked.json || json.isAsked
        asked.jsonLines = asked.jsonLines || json.isLines
        return asked
    }
}
