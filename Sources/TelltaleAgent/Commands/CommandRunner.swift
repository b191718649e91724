#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What a command knows of who asked, and how long it may take.
final class CommandContext: Sendable {
    let agent: Agent
    let peer: Peer
    /// By which what is held for its client is known.
    let connection: UInt64
    let began = MonotonicTime.now
    let deadline: MonotonicTime
    /// Whether the client said how long it waits.
    let isTimeAsked: Bool
    private let stream: (@Sendable ([String]) -> Bool)?
    private let client: Connection

    init(
        _ connection: Connection, deadline: Duration, isTimeAsked: Bool = false,
        stream: (@Sendable ([String]) -> Bool)? = nil
    ) {
        agent = connection.agent
        peer = connection.peer
        client = connection
        self.connection = connection.identifier
        self.deadline = began.advanced(by: deadline)
        self.isTimeAsked = isTimeAsked
        self.stream = stream
    }

    /// Asks whether nobody waits for the answer any more: what has not begun by then is not done.
    var isClientGone: @Sendable () -> Bool { { [client] in client.end != nil } }

    /// What became of a client that is gone.
    var clientEnd: String { (client.end ?? .clientGone).rawValue }

    /// When an owner has to have answered.
    var ownerDeadline: MonotonicTime { OwnerTime(in: self).deadline }

    /// The most bytes that go ahead in one message.
    private static let largestPart = 65_536

    /// Sends lines ahead of the answer, in parts of a bounded size.
    func send(_ lines: [String]) {
        guard let stream else { return }
        var part: [String] = []
        var bytes = 0
        for line in lines {
            if bytes + line.utf8.count > Self.largestPart, !part.isEmpty {
                guard stream(part) else { return }
                part = []
                bytes = 0
            }
            part.append(line)
            bytes += line.utf8.count + 1
        }
        if !part.isEmpty { _ = stream(part) }
    }
}

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
                .unknownCommand, "there is no command `\(Text.oneLine(method, limit: 60))`",
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
                .usage, "the parameters of `\(method)` don't fit: \(Text.oneLine("\(error)"))",
                hint: "`help \(method)` shows how it is written")
        }
    }
}
#endif
