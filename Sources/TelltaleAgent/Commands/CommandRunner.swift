#if TELLTALE_AGENT
import TelltaleProtocol

protocol AgentCommand: Command {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer

    /// What it is done to, by all the names that a rule of access may have for it.
    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String]
}

extension AgentCommand {
    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] { [] }

    fileprivate static func run(
        _ params: JSONValue, in context: CommandContext
    ) throws(CommandFailure) -> any CommandAnswer {
        let parameters = try CommandRunner.parameters(of: Self.self, params)
        try context.checkAccess(
            description.name, to: targets(parameters, in: context))
        return try run(parameters, in: context)
    }
}

enum CommandRunner {
    static func run(
        _ method: String, _ params: JSONValue, in context: CommandContext
    ) throws(CommandFailure) -> any CommandAnswer {
        guard let command = CommandTable.method(named: method) as? any AgentCommand.Type else {
            throw CommandFailure(
                .unknownCommand, "there is no command `\(method.escaped(limit: 60))`",
                hint: "`help` lists the commands")
        }
        if command.description.effect == .changes, context.agent.mode != .readWrite {
            throw CommandFailure(
                .denied, "`\(method)` is refused: the agent is read-only",
                hint: "start the service with TELLTALE_MODE=read-write")
        }
        return try command.run(params, in: context)
    }

    /// Reads a command's parameters; an absent `params` is an empty object.
    static func parameters<Asked: Command>(
        of command: Asked.Type, _ params: JSONValue
    ) throws(CommandFailure) -> Asked.Parameters {
        do {
            return try Asked.Parameters(json: params == .null ? .object([]) : params)
        } catch {
            let name = command.description.name
            throw CommandFailure(
                .usage, "the parameters of `\(name)` don't fit: \("\(error)".escaped)",
                hint: "`help \(name)` shows how it is written")
        }
    }
}
#endif
