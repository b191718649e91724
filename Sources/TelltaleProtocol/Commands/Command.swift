#if TELLTALE_COMPILED
/// A command: its syntax, its parameters and its answer.
///
/// The agent adds how it is run, and the client learns here all that it treats specially.
package protocol Command: Sendable {
    /// The `params` of the command's method on the wire.
    associatedtype Parameters: JSONCodable = NoParameters
    associatedtype Answer: CommandAnswer

    static var description: CommandDescription { get }

    /// Makes parameters of the words typed after the command's name. Words it leaves are
    /// unexpected.
    static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters

    /// Returns what can follow the words typed after the command's name; options are completed
    /// elsewhere. By default the description's first argument, and nothing after it.
    static func completion(after words: [String]) -> CompletionPlace

    /// Returns the time a client waits for the answer to these parameters if it was not told another.
    static func timeout(of parameters: JSONValue) -> Duration

    /// Returns whether the request may be sent before the listening process is identified. Sent to
    /// the wrong process, it changes nothing, runs none of the process's code and interrupts no
    /// thread.
    static func isHarmless(_ parameters: Parameters) -> Bool

    /// Returns whether the effect ends with the connection, so that a single command would do
    /// nothing.
    static func endsWithConnection(_ parameters: Parameters) -> Bool

    /// Returns a line with a like effect that does not end with the connection; `nil` for none.
    static func lineWithoutConnection(_ parameters: Parameters) -> String?
}

extension Command {
    package static func timeout(of parameters: JSONValue) -> Duration { description.timeout }

    package static func completion(after words: [String]) -> CompletionPlace {
        words.isEmpty ? description.completes : .nothing
    }

    package static func isHarmless(_ parameters: Parameters) -> Bool {
        description.effect == .reads
    }

    package static func endsWithConnection(_ parameters: Parameters) -> Bool {
        description.endsWithConnection
    }

    package static func lineWithoutConnection(_ parameters: Parameters) -> String? { nil }

    /// The `kind` of its answer's type on the wire.
    package static var answerKind: String { Answer.kind }

    /// Reads the result of a response to the command.
    package static func answer(
        from result: JSONValue
    ) throws(CommandFailure) -> any CommandAnswer { try Answer(result: result) }

    /// Makes a request of the words typed after the command's name.
    static func request(_ arguments: CommandArguments) throws(CommandFailure) -> Request {
        var arguments = arguments
        let parameters = try parameters(of: &arguments)
        try arguments.end()
        return try Request(Self.self, parameters)
    }

    /// A failure that says how the command is typed.
    static func usage(_ message: String) -> CommandFailure { description.usage(message) }
}

/// Parameters that are typed in the same way behind each command that takes them.
package protocol TypedParameters: JSONCodable {
    /// Makes parameters of the words typed after the command's name.
    init(of arguments: inout CommandArguments) throws(CommandFailure)
}

extension Command where Parameters: TypedParameters {
    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters { try Parameters(of: &arguments) }
}

/// The parameters of a command that takes none.
public struct NoParameters: MemberCoded, TypedParameters {
    package init(of arguments: inout CommandArguments) {}

    /// Makes the parameters.
    public init() {}

    /// Names no member.
    ///
    /// - Parameter coder: Reads nothing and writes nothing.
    public mutating func code(_ coder: inout MemberCoder) {}
}
#endif
