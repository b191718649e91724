#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// One command of the agent: what it takes and what it does.
protocol AgentCommand {
    associatedtype Parameters: Decodable
    /// The method on the wire, which is the command's word.
    static var name: String { get }
    /// Does it.
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer
}

/// Finds commands by name and runs them.
enum CommandRunner {
    static var commands: [any AgentCommand.Type] {
        [
            ObjectsCommand.self, ShowCommand.self, GetCommand.self, SetCommand.self,
            CallCommand.self, ActionsCommand.self, QueuesCommand.self, StatusCommand.self,
            InfoCommand.self, DumpCommand.self, ChangesCommand.self, UndoCommand.self,
            HelpCommand.self, CompleteCommand.self, QueueCommand.self, GroupsCommand.self,
            SemaphoresCommand.self, TimersCommand.self, SuspendCommand.self,
            ResumeCommand.self, TasksCommand.self, ActorsCommand.self, CancelCommand.self,
            OperationsCommand.self, ThreadsCommand.self, StackCommand.self,
            StuckCommand.self, WatchCommand.self,
        ]
    }

    /// Runs the command called `method`.
    static func run(
        _ method: String, _ params: JSONValue, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let command = commands.first { $0.name == method }
        // Also of a command that this agent hasn't got: what changes the host is refused first.
        let isKnown = command != nil || CommandTable.command(named: method)?.name == method
        if isKnown, CommandTable.changesHost(method: method), context.agent.mode != .readWrite {
            throw CommandFailure(
                .denied, "`\(method)` is refused: the agent is read-only",
                hint: "start the service with TELLTALE_MODE=read-write")
        }
        guard let command else {
            throw CommandFailure(
                .unknownCommand, "there is no command `\(method.escaped(limit: 60))`",
                hint: "`help` lists the commands")
        }
        return try run(command, params, in: context)
    }

    private static func run<Command: AgentCommand>(
        _ command: Command.Type, _ params: JSONValue, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let parameters = try decode(Command.Parameters.self, from: params, method: command.name)
        return try command.run(parameters, in: context)
    }

    /// Decodes parameters; an absent `params` is an empty object.
    static func decode<Parameters: Decodable>(
        _ type: Parameters.Type, from params: JSONValue, method: String
    ) throws(CommandFailure) -> Parameters {
        do {
            return try JSONValueDecoder.decode(
                type, from: params == .null ? .object([]) : params)
        } catch {
            throw CommandFailure(
                .usage, "the parameters of `\(method)` don't fit: \("\(error)".escaped)",
                hint: "`help \(method)` shows how it is written")
        }
    }
}
#endif
