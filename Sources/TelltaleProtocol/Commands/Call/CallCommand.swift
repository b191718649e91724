#if TELLTALE_COMPILED
/// `call`: runs a registered action or an unregistered method.
package enum CallCommand: ConfirmedCommand {
    package struct Parameters: MemberCoded {
        package var action: String
        /// The text between the parentheses, as typed.
        package var arguments: String
        /// Indicates that the user has confirmed that a method may crash the service.
        package var isConfirmed: Bool?
        /// The executor of a static method: `main`, a registered object (its owner), or a queue.
        package var on: String?

        package init(
            action: String, arguments: String, isConfirmed: Bool? = nil, on: String? = nil
        ) {
            self.action = action
            self.arguments = arguments
            self.isConfirmed = isConfirmed
            self.on = on
        }

        package init() { self.init(action: "", arguments: "") }

        package mutating func code(_ coder: inout MemberCoder) {
            coder.member("action", &action)
            coder.member("arguments", &arguments)
            coder.member("isConfirmed", &isConfirmed)
            coder.member("on", &on)
        }
    }

    package typealias Answer = CallAnswer

    package static let question = "Call it, and others from now on? [y/N] "

    package static let description = CommandDescription(
        "call [--yes] [--on OWNER] NAME(ARGS), NAME(ARGS)", "run an action or a method",
        detail: """
            The arguments are parsed as the types that it takes, in Swift's syntax or as JSON. An
            action runs where it was registered to run. PATH.METHOD(ARGS) calls a method that
            nobody registered, found by its symbol, on the owner of the object; objects are named
            by their paths. TYPE.METHOD(ARGS) calls a static one where --on says: main, a registered
            object, whose owner it is, or a queue. `methods TYPE` lists what can be called. Such a call is confirmed once
            a session, or by --yes: a method that traps ends the service.
            The call is listed by `changes`.
            """,
        example: "call photos.add(\"https://example.com/a.jpg\")", effect: .changes,
        history: .keptWithoutSecrets, takesRawRest: true, completes: .path)

    package static func completion(after words: [String]) -> CompletionPlace {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--yes" { continue }
            guard word == "--on" else { return .nothing }
            guard rest.popFirst() != nil else { return .name(.queue, or: ["main"]) }
        }
        return .path
    }

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        var line = TypedLine(arguments.takeAll())
        var isConfirmed: Bool?
        var owner: String?
        while true {
            let (word, rest) = line.head
            if word == "--yes" {
                isConfirmed = true
                line = TypedLine(rest.trimmed)
            } else if word == "--on" {
                line = TypedLine(rest.trimmed)
                guard !line.text.isEmpty else { throw usage("--on of call needs an owner") }
                owner = String(line.head.word)
                line = TypedLine(line.head.rest.trimmed)
            } else {
                break
            }
        }
        if var call = Parameters(line) {
            (call.isConfirmed, call.on) = (isConfirmed, owner)
            return call
        }
        guard !line.text.isEmpty else { throw usage("call needs an action") }
        guard line.hasSpaces || line.firstParenthesis != nil else {
            return Parameters(
                action: line.text, arguments: "", isConfirmed: isConfirmed, on: owner)
        }
        throw noCall(line.text[..<(line.firstParenthesis ?? line.head.word.endIndex)])
    }

    /// The failure for a call that can't be parsed; it doesn't repeat the arguments.
    static func noCall(_ name: Substring) -> CommandFailure {
        usage("'\(name)…' is not a call: put the arguments in parentheses after the name")
    }
}

extension CallCommand.Parameters {
    /// Parses `NAME(ARGS)`; `nil` for another line.
    init?(_ line: TypedLine) {
        let text = line.text
        guard let opening = line.firstParenthesis, let closing = line.closingParenthesis,
            text.index(after: closing) == text.endIndex
        else { return nil }
        let name = text[..<opening].trimmed
        guard !name.isEmpty, !TypedLine(name).hasSpaces else { return nil }
        self.init(
            action: name,
            arguments: text[text.index(after: opening)..<closing].trimmed)
    }
}

/// The answer to `call`.
public struct CallAnswer: CommandAnswer, MemberCoded {
    package static let kind = "call"

    /// The action that ran.
    public var action: String
    /// The result as a tree; `nil` if it returns nothing.
    public var value: ValueNode?
    /// The time it ran, in microseconds.
    public var microseconds: Int
    /// The number under which `changes` lists it.
    public var change: Int
    /// The change, for an operation on a collection, a text or a Bool; `nil` for an action.
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

    /// Makes an empty one, to be read into.
    public init() { self.init(action: "", value: nil, microseconds: 0, change: 0) }

    /// Names its members to a coder.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("action", &action)
        coder.member("value", &value)
        coder.member("microseconds", &microseconds)
        coder.member("change", &change)
        coder.member("changed", &changed)
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
