#if TELLTALE_COMPILED
/// Parses lines typed by people: in the REPL, in a script, in a shell, and over `nc -U`.
package enum CommandLineParser {
    /// Parses one line; nil for an empty one or a comment. `#7` is a path and no comment. A failure
    /// has the syntax and an example, or the nearest names.
    package static func parse(_ line: String) throws(CommandFailure) -> Request? {
        let line = TypedLine(line)
        guard !line.text.isEmpty, !isComment(line.text) else { return nil }
        let (word, rest) = line.head
        if let command = CommandTable.command(named: String(word)) {
            return try command.request(CommandArguments(command.description, raw: rest))
        }
        if let equals = line.assignment, !isOption(line.text[..<equals]) {
            return try assignment(line, at: equals)
        }
        if let call = CallCommand.Parameters(line) {
            if let command = CommandTable.command(named: call.action) {
                throw command.usage("\(command.description.name) is a command and no action")
            }
            return try Request(CallCommand.self, call)
        }
        let (call, isPreview) = SetCommand.withoutPreview(line.text)
        if isPreview, let call = CallCommand.Parameters(TypedLine(call)),
            let dot = call.action.lastIndex(of: ".")
        {
            return try Request(
                SetCommand.self,
                SetCommand.Parameters(
                    path: String(call.action[..<dot]), value: call.arguments,
                    operation: String(call.action[dot...].dropFirst()), preview: true))
        }
        return try path(line)
    }

    /// Parses a shell's argument vector: the words of one command, `["set", "photos.prompt",
    /// "WOOT!"]`, or a whole line as one word. Throws as ``parse(_:)``.
    package static func parse(words: [String]) throws(CommandFailure) -> Request? {
        // The shell has removed the quotes, so a file name with a space is one word already. If the
        // rest of the line is raw, only the spaces between the words are lost.
        if words.count > 1, let command = CommandTable.command(named: words[0]),
            !command.description.takesRawRest
        {
            return try command.request(
                CommandArguments(command.description, words: Array(words.dropFirst())))
        }
        guard var line = words.first else { return nil }
        // By hand: `joined(separator:)` is generic, and costs a client that has just started 30 us.
        for word in words.dropFirst() { line += " " + word }
        return try parse(line)
    }

    private static func isComment(_ text: String) -> Bool {
        text.hasPrefix("#") && !(text.dropFirst().first?.isNumber ?? false)
    }

    /// Returns whether the `=` after it belongs to an option: `photos --depth=2`.
    private static func isOption(_ before: Substring) -> Bool {
        guard let space = before.lastIndex(where: \.isWhitespace) else { return false }
        return before[before.index(after: space)...].hasPrefix("--")
    }

    private static func assignment(
        _ line: TypedLine, at equals: String.Index
    ) throws(CommandFailure) -> Request {
        var before = String(line.text[..<equals])
        var operation: String?
        for sign in SetCommand.operators where before.hasSuffix(sign.dropLast()) {
            operation = sign
            before.removeLast()
        }
        let path = TypedLine(before)
        // `sett photos.prompt = 3`: a path is one word.
        if path.hasSpaces { throw CommandTable.unknown(path.head.word) }
        let rest = line.text[line.text.index(after: equals)...].trimmed
        let (value, isPreview) = SetCommand.withoutPreview(rest)
        return try Request(
            SetCommand.self,
            SetCommand.parameters(
                path: path.text, value: value, operation: operation,
                preview: isPreview ? true : nil))
    }

    /// Returns whether the text after a path continues an expression: `photos.items where isNew`,
    /// `a.count + 1`.
    static func goesOn(_ rest: some StringProtocol) -> Bool {
        let rest = rest.trimmed
        let word = String(rest.prefix { !$0.isWhitespace })
        if clauses.contains(word) { return true }
        return ["+", "*", "/", "%", "==", "!=", "<", ">", "&&", "||"].contains {
            rest.hasPrefix($0)
        }
    }

    /// The words that continue an expression after a path.
    static let clauses: Set<String> = [
        "where", "sorted", "first", "last", "count", "min", "max", "sum", "contains",
    ]

    /// A path, with or without the options of `show`. One unknown word goes to the agent too,
    /// which knows the nearest names.
    private static func path(_ line: TypedLine) throws(CommandFailure) -> Request {
        let (word, rest) = line.head
        // Its arguments are not repeated: nothing tells whether they are secrets.
        if let opening = line.firstParenthesis, opening <= word.endIndex {
            throw CallCommand.noCall(line.text[..<opening])
        }
        guard line.hasSpaces else {
            return try Request(ShowCommand.self, ShowCommand.Parameters(path: String(word)))
        }
        guard TypedLine(String(rest)).text.hasPrefix("-") || goesOn(rest) else {
            throw CommandTable.unknown(word)
        }
        do throws(CommandFailure) {
            return try ShowCommand.request(
                CommandArguments(ShowCommand.description, raw: line.text))
        } catch {
            // `dmup --output x` is a mistyped command before it is a path with a wrong option.
            throw NearestNames.of(word, among: CommandTable.names).isEmpty
                ? error : CommandTable.unknown(word)
        }
    }
}
#endif
