import TelltaleProtocol

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
        let whole = TypedText.trimmed(line)
        // A comment is one to its end; `#7` is a path.
        if whole.hasPrefix("#"), whole.dropFirst().first?.isNumber != true {
            parts = [Part(command: whole)]
            return
        }
        for piece in Self.split(whole, at: ";") {
            let command = TypedText.trimmed(piece)
            if !command.isEmpty { parts.append(Self.part(command)) }
        }
    }

    private static func part(_ text: String) -> Part {
        let marks = TypedText(text)
        // `a || b` is an expression, and no program begins with a bar.
        if let bar = marks.plain.first(where: { index in
            text[index] == "|" && !marks.isBeside(index, "|") && marks.hasSpaceBefore(index)
        }) {
            let program = TypedText.trimmed(text[text.index(after: bar)...])
            if !program.isEmpty {
                return Part(
                    command: TypedText.trimmed(text[..<bar]), destination: .program(program))
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
        var name = TypedText.trimmed(text[text.index(after: last)...])
        if name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") {
            name = String(name.dropFirst().dropLast())
        } else if name.contains(" ") {
            return nil
        }
        guard name.contains("/"), !name.hasSuffix("/") else { return nil }
        var before = text[..<last]
        let isAdded = before.last == ">"
        if isAdded { before = before.dropLast() }
        return (TypedText.trimmed(before), name, isAdded)
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
        var quote: Character?
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == open {
                    quote = nil
                }
                continue
            }
            switch character {
            case "\"", "`": quote = character
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth = max(0, depth - 1)
            case ";", "|", ">": if depth == 0 { plain.append(index) }
            default: break
            }
        }
        isQuoted = quote != nil
    }

    func hasSpaceBefore(_ index: String.Index) -> Bool {
        index > text.startIndex && text[text.index(before: index)].isWhitespace
    }

    func isBeside(_ index: String.Index, _ mark: Character) -> Bool {
        let next = text.index(after: index)
        return next < text.endIndex && text[next] == mark
            || index > text.startIndex && text[text.index(before: index)] == mark
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}
