#if TELLTALE_COMPILED
/// One command: how it is typed, what it takes, what it answers.
///
/// The agent adds how it is run, and the client learns here all that it treats specially.
package protocol Command: Sendable {
    /// What goes over the wire as the `params` of the command's method.
    associatedtype Parameters: JSONCodable = NoParameters
    associatedtype Answer: CommandAnswer

    static var description: CommandDescription { get }

    /// Makes parameters of what was typed after the command's name. What it leaves is too much.
    static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters

    /// What can stand behind the words that were typed after the command's name; options need not be
    /// said. By default what the description says of the first, and nothing behind it.
    static func completion(after words: [String]) -> CompletionPlace

    /// Whether it may be sent before it is known who listens: the wrong process neither changes, nor
    /// runs any of its own code, nor has a thread interrupted.
    static func isHarmless(_ parameters: Parameters) -> Bool
}

extension Command {
    package static func completion(after words: [String]) -> CompletionPlace {
        words.isEmpty ? description.completes : .nothing
    }

    package static func isHarmless(_ parameters: Parameters) -> Bool {
        description.effect == .reads
    }

    /// The word that stands for its answer's type on the wire.
    package static var answerKind: String { Answer.kind }

    /// Reads the result of a response to the command.
    package static func answer(
        from result: JSONValue
    ) throws(CommandFailure) -> any CommandAnswer { try Answer(result: result) }

    /// Makes a request of what was typed after the command's name.
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
    /// Makes them of what was typed after the command's name.
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
