#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

protocol AgentCommand: Command {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer

    /// What it is done to, by all the names that a rule of access may have for it.
    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String]

    /// Whether it has such names: a rule for a path of one that has none would never hold.
    static var hasTargets: Bool { get }

    /// What of the service it would change, as it was typed, for the audit log: also where it is refused or
    /// fails. Nil of what changes nothing, or says so itself.
    static func changed(_ parameters: Parameters) -> String?

    /// Whether a read-only agent does it all the same, as the host has said.
    static func isAllowedReadOnly(_ parameters: Parameters, in context: CommandContext) -> Bool
}

extension AgentCommand {
    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] { [] }

    static var hasTargets: Bool { false }

    static func changed(_ parameters: Parameters) -> String? { nil }

    static func isAllowedReadOnly(_ parameters: Parameters, in context: CommandContext) -> Bool {
        false
    }

    private static func checkReadOnly(
        _ parameters: Parameters?, in context: CommandContext
    ) throws(CommandFailure) {
        if let parameters, isAllowedReadOnly(parameters, in: context) { return }
        context.agent.changes.audit.write(
            denied: description.name, parameters.flatMap(changed), by: context.peer)
        var failure = CommandFailure(
            .denied, "`\(description.name)` is refused: the agent is read-only",
            hint: "start the service with TELLTALE_MODE=read-write")
        // Nothing was looked at that would tell.
        failure.bringsSecret = description.history == .keptWithoutSecrets
        throw failure
    }

    fileprivate static func run(
        _ params: JSONValue, in context: CommandContext
    ) throws(CommandFailure) -> any CommandAnswer {
        if description.effect == .changes, context.agent.mode != .readWrite {
            try checkReadOnly(try? CommandRunner.parameters(of: Self.self, params), in: context)
        }
        let names = context.agent.masks.names
        if description.history == .keptWithoutSecrets, names.hasAdditional,
            names.isNamed(in: params.serialized())
        {
            context.bringsSecret.set()
        }
        let parameters = try CommandRunner.parameters(of: Self.self, params)
        try context.checkAccess(
            description.name, to: targets(parameters, in: context))
        do throws(CommandFailure) {
            return try GuardedReading.unbuffered { () throws(CommandFailure) in
                try run(parameters, in: context)
            }
        } catch {
            var error = error
            if context.bringsSecret.isSet { error.bringsSecret = true }
            // What had no turn since its client went is among the changes.
            if let target = changed(parameters), error.code != .unconfirmed, error.code != .gone {
                context.agent.changes.audit.write(
                    failed: description.name, target, error, by: context.peer)
            }
            throw error
        }
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
        // What Swift can't allocate ends the process.
        guard MemoryRoom.hasData() else {
            throw CommandFailure(.bound, "not answered: \(MemoryRoom.dataReason())")
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

extension MemoryRoom {
    /// Says what ``hasData(forStart:)`` has found.
    static func dataReason(forStart isStart: Bool = false) -> String {
        "the process is within \(Quantity.bytes(neededData(forStart: isStart))) of its limit of data "
            + "(RLIMIT_DATA, `ulimit -d`)"
    }
}
#endif
