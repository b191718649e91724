#if TELLTALE_COMPILED
// The commands that change the service, and those that list what can be and what was changed.
extension CommandDescription {
    static let set = CommandDescription(
        "set", syntax: "set PATH VALUE, PATH = VALUE", summary: "change a value",
        detail: """
            The value is parsed as the property's type, in Swift's spelling or as JSON, and is all
            that follows the path. A wrong type is refused, and nothing is changed.
            The change runs on the value's owner and gets a number for `undo`.
            """,
        example: "photos.prompt = \"WOOT!\"", changesHost: true, takesRawRest: true
    ) { (arguments) throws(CommandFailure) in
        let (path, rest) = TypedLine(arguments.raw).head
        guard !path.isEmpty else {
            throw arguments.command.usage("set needs a path and a value")
        }
        guard !path.hasPrefix("-") else {
            throw arguments.command.usage("set has no option '\(path)'")
        }
        var value = TypedLine.trimmed(rest)
        // `set PATH = VALUE` is typed by everyone sooner or later; no value begins with `=`.
        if value.hasPrefix("="), !value.hasPrefix("==") {
            value = TypedLine.trimmed(value.dropFirst())
        }
        return try setParameters(path: path, value: value)
    }

    /// The parameters of `set`, from either way of typing it.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - value: The value as it was typed.
    /// - Returns: The parameters.
    /// - Throws: `.usage` where one of them is missing.
    static func setParameters(
        path: some StringProtocol, value: String
    ) throws(CommandFailure) -> SetParameters {
        guard !path.isEmpty else {
            throw set.usage("what is to be set is missing: nothing stands before the `=`")
        }
        guard !value.isEmpty else {
            throw set.usage("the value for \(path) is missing; an empty string is \"\"")
        }
        return SetParameters(path: String(path), value: value)
    }

    static let actions = CommandDescription(
        "actions", syntax: "actions", summary: "the actions that can be called",
        detail: "Each with the types of its arguments and its result, and where it runs.",
        example: "actions")

    static let call = CommandDescription(
        "call", syntax: "call NAME(ARGS), NAME(ARGS)", summary: "run an action",
        detail: """
            The arguments are parsed as the action's types, in Swift's spelling or as JSON. It runs
            where it was registered to run; the call is listed by `changes`.
            """,
        example: "call photos.add(\"https://example.com/a.jpg\")", changesHost: true,
        takesRawRest: true
    ) { (arguments) throws(CommandFailure) in
        let line = TypedLine(arguments.raw)
        if let call = CallParameters(line) { return call }
        guard !line.text.isEmpty else { throw arguments.command.usage("call needs an action") }
        guard line.hasSpaces || line.firstParenthesis != nil else {
            return CallParameters(action: line.text, arguments: "")
        }
        throw noCall(line.text[..<(line.firstParenthesis ?? line.head.word.endIndex)])
    }

    /// What is said of a call that can't be read; its arguments are not repeated.
    static func noCall(_ name: Substring) -> CommandFailure {
        call.usage(
            "'\(name)…' is no call: the arguments stand in parentheses after the name")
    }

    static let changes = CommandDescription(
        "changes", syntax: "changes", summary: "what was changed and called, and by whom",
        detail: "The number of each is what `undo` takes.", example: "changes")

    static let undo = CommandDescription(
        "undo", syntax: "undo N", summary: "put the value of a change back",
        detail: "Refused where the value has changed since. A call can't be undone.",
        example: "undo 1", changesHost: true
    ) { (arguments) throws(CommandFailure) in
        let word = try arguments.word("the number of a change; `changes` lists them")
        try arguments.end()
        guard let number = Int(word), number > 0 else {
            throw arguments.command.usage(
                "'\(word)' is no number of a change; `changes` lists them")
        }
        return UndoParameters(number: number)
    }
}

extension CallParameters {
    /// Takes `NAME(ARGS)` apart; nil where the line is something else.
    ///
    /// - Parameter line: The line.
    init?(_ line: TypedLine) {
        let text = line.text
        guard let opening = line.firstParenthesis, let closing = line.closingParenthesis,
            text.index(after: closing) == text.endIndex
        else { return nil }
        let name = TypedLine.trimmed(text[..<opening])
        guard !name.isEmpty, !TypedLine(name).hasSpaces else { return nil }
        self.init(
            action: name,
            arguments: TypedLine.trimmed(text[text.index(after: opening)..<closing]))
    }
}
#endif
