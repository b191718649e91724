#if TELLTALE_COMPILED
/// `call`: runs a registered action.
package enum CallCommand: Command {
    package struct Parameters: JSONCodable {
        package var action: String
        /// What stands between the parentheses, as typed.
        package var arguments: String
    }

    package typealias Answer = CallAnswer

    package static let description = CommandDescription(
        "call NAME(ARGS), NAME(ARGS)", "run an action",
        detail: """
            The arguments are parsed as the action's types, in Swift's syntax or as JSON. It runs
            where it was registered to run; the call is listed by `changes`.
            """,
        example: "call photos.add(\"https://example.com/a.jpg\")", effect: .changes,
        history: .keptWithoutSecrets, takesRawRest: true, completes: .path)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let line = TypedLine(arguments.takeAll())
        if let call = Parameters(line) { return call }
        guard !line.text.isEmpty else { throw usage("call needs an action") }
        guard line.hasSpaces || line.firstParenthesis != nil else {
            return Parameters(action: line.text, arguments: "")
        }
        throw noCall(line.text[..<(line.firstParenthesis ?? line.head.word.endIndex)])
    }

    /// What is said of a call that can't be read; its arguments are not repeated.
    static func noCall(_ name: Substring) -> CommandFailure {
        usage("'\(name)…' is no call: the arguments stand in parentheses after the name")
    }
}

extension CallCommand.Parameters {
    /// Takes `NAME(ARGS)` apart; nil where the line is something else.
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

/// What `call` answers.
public struct CallAnswer: CommandAnswer {
    package static let kind = "call"

    /// The action that ran.
    public var action: String
    /// Its result as a tree; nil where it returns nothing.
    public var value: ValueNode?
    /// How long it ran, in microseconds.
    public var microseconds: Int
    /// The number under which `changes` lists it.
    public var change: Int
    /// What it changed, of an operation on a collection, a text or a Bool; nil of an action.
    public var changed: ChangeRecord?

    /// An answer to an operation.
    package init(changed record: ChangeRecord) {
        self.init(action: record.path, value: nil, microseconds: 0, change: record.number)
        changed = record
    }

    package init(action: String, value: ValueNode?, microseconds: Int, change: Int) {
        self.action = action
        self.value = value
        self.microseconds = microseconds
        self.change = change
    }

    package func lines(_ style: TextStyle) -> [String] {
        if let changed { return ChangeAnswer(change: changed).lines(style) }
        let remark = "\(Quantity.time(microseconds: microseconds)), change \(change)"
        guard let value else {
            return [style.painted(action.escaped, .bold) + ": done  (\(remark))"]
        }
        return ValueTree(style: style).lines(of: value, label: action, remarks: [remark])
    }
}
#endif
