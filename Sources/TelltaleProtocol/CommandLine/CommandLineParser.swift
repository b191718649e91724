#if TELLTALE_COMPILED
/// Makes requests of what people type: in the REPL, in a script, in a shell, and over `nc -U`.
public enum CommandLineParser {
    /// Parses one line.
    ///
    /// - Parameter line: The line, without its end.
    /// - Returns: The request; nil for an empty line or a comment. `#7` is a path and no comment.
    /// - Throws: `.usage` with the syntax and an example, `.unknownCommand` with the nearest names.
    /// - Complexity: Linear in the length of the line.
    public static func parse(_ line: String) throws(CommandFailure) -> Request? {
        let line = TypedLine(line)
        guard !line.text.isEmpty, !isComment(line.text) else { return nil }
        let (word, rest) = line.head
        if let command = CommandTable.command(named: String(word)) {
            return try request(command, CommandArguments(command, raw: rest))
        }
        if let equals = line.assignment, !isOption(line.text[..<equals]) {
            return try assignment(line, at: equals)
        }
        if let call = CallParameters(line) {
            if let command = CommandTable.command(named: call.action) {
                throw command.usage("\(command.name) is a command and no action")
            }
            return Request(method: "call", parameters: try encoded(call))
        }
        return try path(line)
    }

    /// Parses a shell's argument vector.
    ///
    /// - Parameter words: The words of one command: `["set", "photos.prompt", "WOOT!"]`, or a
    ///   whole line as one word.
    /// - Returns: The request; nil where there is nothing, or a comment.
    /// - Throws: As ``parse(_:)``.
    public static func parse(words: [String]) throws(CommandFailure) -> Request? {
        // The shell has taken the quotes off, so a file's name with a space is one word already.
        // Where the rest of the line is raw, the spaces between the words are all that is lost.
        if words.count > 1, let command = CommandTable.command(named: words[0]),
            !command.takesRawRest
        {
            let arguments = CommandArguments(command, words: Array(words.dropFirst()))
            return try request(command, arguments)
        }
        guard var line = words.first else { return nil }
        // By hand: `joined(separator:)` is generic, and costs a client that has just started 30 us.
        for word in words.dropFirst() { line += " " + word }
        return try parse(line)
    }

    private static func isComment(_ text: String) -> Bool {
        text.hasPrefix("#") && !(text.dropFirst().first?.isNumber ?? false)
    }

    /// Whether the `=` behind it belongs to an option: `photos --depth=2`.
    private static func isOption(_ before: Substring) -> Bool {
        guard let space = before.lastIndex(where: \.isWhitespace) else { return false }
        return before[before.index(after: space)...].hasPrefix("--")
    }

    private static func request(
        _ command: CommandDescription, _ arguments: CommandArguments
    ) throws(CommandFailure) -> Request {
        var arguments = arguments
        let parameters = try command.parameters(&arguments)
        if parameters is NoParameters { try arguments.end() }
        return Request(method: command.name, parameters: try encoded(parameters))
    }

    private static func assignment(
        _ line: TypedLine, at equals: String.Index
    ) throws(CommandFailure) -> Request {
        let path = TypedLine(String(line.text[..<equals]))
        // `sett photos.prompt = 3`: a path is one word.
        if path.hasSpaces { throw CommandTable.unknown(path.head.word) }
        let value = TypedLine.trimmed(line.text[line.text.index(after: equals)...])
        let parameters = try CommandDescription.setParameters(path: path.text, value: value)
        return Request(method: "set", parameters: try encoded(parameters))
    }

    /// A path, with or without the options of `show`. One unknown word goes to the agent too,
    /// which knows the nearest names.
    private static func path(_ line: TypedLine) throws(CommandFailure) -> Request {
        let (word, rest) = line.head
        // Its arguments are not repeated: nothing tells whether they are secrets.
        if let opening = line.firstParenthesis, opening <= word.endIndex {
            throw CommandDescription.noCall(line.text[..<opening])
        }
        guard line.hasSpaces else {
            return Request(
                method: "show", parameters: try encoded(ShowParameters(path: String(word))))
        }
        guard TypedLine(String(rest)).text.hasPrefix("-") else {
            throw CommandTable.unknown(word)
        }
        do throws(CommandFailure) {
            return try request(.show, CommandArguments(.show, raw: line.text))
        } catch {
            // `dmup --output x` is a mistyped command before it is a path with a wrong option.
            let names = CommandTable.all.map(\.name)
            throw NearestNames.of(word, among: names).isEmpty
                ? error : CommandTable.unknown(word)
        }
    }

    private static func encoded(_ parameters: any Encodable) throws(CommandFailure) -> JSONValue {
        // What scripts ask for most is written by hand, for the reason of `Answer.direct(from:)`.
        if let get = parameters as? GetParameters {
            return .object([JSONMember("path", .string(get.path))])
        }
        do {
            return try JSONValueEncoder.encode(parameters)
        } catch {
            throw CommandFailure(.internal, "the parameters can't be written as JSON: \(error)")
        }
    }
}
#endif
