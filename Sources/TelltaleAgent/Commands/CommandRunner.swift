#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

protocol AgentCommand: Command {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer

    /// Returns the targets of the command, by all the names that an access rule may use for them.
    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String]

    /// True if the command has targets. A rule with a path for a command without targets would never match.
    static var hasTargets: Bool { get }

    /// The part of the service that the command would change, as typed, for the audit log of refused and
    /// failed commands. Nil for a command that changes nothing, or that writes its own audit entry.
    static func changed(_ parameters: Parameters) -> String?

    /// Returns true if the host has allowed this use of the command in a read-only agent.
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
            denied: description.name, parameters.flatMap(changed), by: context.author)
        var failure = CommandFailure(
            .denied, "`\(description.name)` is refused: the agent is read-only",
            hint: "start the service with TELLTALE_MODE=read-write")
        // The arguments were not evaluated, so any of them may be a secret.
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
            // A command that was withdrawn because its client had gone is already recorded as a change.
            if let target = changed(parameters), error.code != .unconfirmed, error.code != .gone {
                context.agent.changes.audit.write(
                    failed: description.name, target, error, by: context.author)
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
                .unknownCommand, "unknown command `\(method.escaped(limit: 60))`",
                hint: "`help` lists the commands")
        }
        // A failed allocation in Swift ends the process.
        if let shortage = MemoryRoom.shortage() { throw shortage.failure }
        return try command.run(params, in: context)
    }

    /// Decodes a command's parameters; an absent `params` is an empty object.
    static func parameters<Asked: Command>(
        of command: Asked.Type, _ params: JSONValue
    ) throws(CommandFailure) -> Asked.Parameters {
        do {
            return try Asked.Parameters(json: params == .null ? .object([]) : params)
        } catch {
            let name = command.description.name
            let hint = "`help \(name)` shows how it is written"
            if case .keyNotFound(let key, let place)? = error as? DecodingError,
                place.codingPath.isEmpty
            {
                let member = HelloCommand.needed[key.stringValue]
                let what = name == HelloCommand.description.name ? member : nil
                throw CommandFailure(
                    .usage,
                    "`\(name)` needs \"\(key.stringValue)\"" + (what.map { " (\($0))" } ?? ""),
                    hint: hint)
            }
            let failure = CommandFailure(decoding: error, "the parameters of `\(name)`")
            throw CommandFailure(.usage, failure.message.escaped, hint: hint)
        }
    }
}

extension MemoryRoom.Shortage {
    var failure: CommandFailure { CommandFailure(.bound, "not answered: \(reason)") }

    var reason: String {
        switch self {
        case .data(let needed):
            "the process is within \(Quantity.bytes(needed)) of its limit of data "
                + "(RLIMIT_DATA, `ulimit -d`)"
        case .untilKilled(let left, let needed):
            "\(Quantity.bytes(Int(clamping: left))) of memory are left before the kernel ends a process "
                + "(control group or machine), and this may take \(Quantity.bytes(needed))"
        }
    }
}
#endif
