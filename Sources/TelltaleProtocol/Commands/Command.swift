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

/// A command that can show objects that lead back without their parts: `brief` among its parameters. A client that
/// shows text asks for it; JSON has all down to its depth.
package protocol BriefCommand: Command {}

extension BriefCommand {
    /// The parameters of a request whose answer is shown as text.
    package static func brief(_ parameters: JSONValue) -> JSONValue {
        guard case .object(var members) = parameters, parameters["brief"] == nil else {
            return parameters
        }
        members.append(JSONMember("brief", .bool(true)))
        return .object(members)
    }
}

extension ShowCommand: BriefCommand {}
extension GetCommand: BriefCommand {}

/// A command that may end the service, so the user has to confirm it: `isConfirmed` among its
/// parameters. A session asks once.
package protocol ConfirmedCommand: Command {
    /// The question a session asks.
    static var question: String { get }

    /// Indicates that a session asks each time and not once.
    static var isAskedEachTime: Bool { get }
}

extension ConfirmedCommand {
    package static var getterQuestion: String {
        "Run it, and other getters from now on? [y/N] "
    }

    package static var question: String { "Do it, and others from now on? [y/N] " }

    package static var isAskedEachTime: Bool { false }

    /// The parameters, confirmed or not.
    package static func confirmed(_ parameters: JSONValue, _ isConfirmed: Bool = true) -> JSONValue
    {
        guard case .object(var members) = parameters else { return parameters }
        members.removeAll { $0.key == "isConfirmed" }
        members.append(JSONMember("isConfirmed", .bool(isConfirmed)))
        return .object(members)
    }
}

/// A command that a client sends repeatedly, and whose changes it shows.
///
/// The agent answers each time as if it were the first: nothing keeps running in a service when its
/// client ends.
package protocol RepeatedCommand: Command {
    /// Returns how a request is repeated; `nil` for a request that is sent once.
    static func repetition(of parameters: JSONValue) -> Repetition?
}

package struct Repetition: Sendable, Equatable {
    /// From the beginning of one look to that of the next.
    package var every: Duration
    /// The number of rounds; `nil` for as many as the time allows.
    package var count: Int?
    /// The line of the command that is asked in its place; nil for itself.
    package var command: String?
    /// The parameters of all rounds but the first; `nil` for the same ones.
    package var later: JSONValue?
}

/// The request that a command line stands for.
package struct Request: Sendable, Equatable {
    package let command: any Command.Type
    /// The method's parameters, as sent over the wire.
    package var parameters: JSONValue
    /// Indicates that the request may be sent before the listening process is identified.
    package let isHarmless: Bool
    /// Indicates that the effect ends with the connection.
    package let endsWithConnection: Bool
    /// A line with a like effect that does not end with the connection.
    package let lineWithoutConnection: String?

    /// Makes a request.
    ///
    /// - Throws: `.internal` for parameters that JSON can't say.
    package init<Asked: Command>(
        _ command: Asked.Type, _ parameters: Asked.Parameters
    ) throws(CommandFailure) {
        self.command = command
        isHarmless = Asked.isHarmless(parameters)
        endsWithConnection = Asked.endsWithConnection(parameters)
        lineWithoutConnection =
            endsWithConnection ? Asked.lineWithoutConnection(parameters) : nil
        do {
            self.parameters = try parameters.json()
        } catch {
            throw CommandFailure(.internal, "the parameters can't be written as JSON: \(error)")
        }
    }

    package var method: String { command.description.name }

    package static func == (left: Request, right: Request) -> Bool {
        left.command == right.command && left.parameters == right.parameters
    }
}
#endif
