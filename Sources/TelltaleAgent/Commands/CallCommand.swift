#if TELLTALE_AGENT
import TelltaleProtocol

extension CallCommand: AgentCommand {
    static let hasTargets = true

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        AccessNames(context: context).names(ofCall: parameters.action)
    }

    static func isAllowedReadOnly(_ parameters: Parameters, in context: CommandContext) -> Bool {
        let action = context.agent.shared.actions.entry(parameters.action)
        return action?.run.contains(.inReadOnlyMode) ?? false
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        do throws(CommandFailure) {
            return try answer(parameters, in: context)
        } catch {
            // The names of the arguments may not be known yet, so any of them may be a secret.
            if parameters.arguments.contains(where: { !$0.isWhitespace }) {
                context.bringsSecret.set()
            }
            throw error
        }
    }

    private static func answer(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        // A read-only agent runs only an action that is allowed in this mode.
        if context.agent.mode == .readOnly {
            return try ActionCalling(context: context).call(
                parameters.action, arguments: parameters.arguments)
        }
        // The operations of the standard library's values are tried before the program's methods.
        let refusal: CommandFailure?
        do throws(CommandFailure) {
            if let record = try OperationCalling(context: context).change(parameters) {
                return Answer(changed: record)
            }
            refusal = nil
        } catch {
            guard error.code == .unsupported else { throw error }
            refusal = error
        }
        do throws(CommandFailure) {
            if context.agent.shared.actions.entry(parameters.action) == nil,
                let method = try MethodCalling(
                    parameters.action, on: try owner(parameters.on, in: context), in: context)
            {
                return try method.call(
                    parameters.arguments, isConfirmed: parameters.isConfirmed == true)
            }
            return try ActionCalling(context: context).call(
                parameters.action, arguments: parameters.arguments)
        } catch {
            guard let refusal else { throw error }
            // If the program has a method of that name, its error explains better why it isn't called.
            let isKnown = (try? MethodCalling(parameters.action, in: context))?.isKnown ?? false
            let isOther = error.code != .notFound && error.code != .unsupported
            throw isKnown || isOther ? error : refusal
        }
    }

    /// The owner that `--on` names: the main actor, the owner of a registered object, or a queue.
    static func owner(
        _ name: String?, in context: CommandContext
    ) throws(CommandFailure) -> Owner? {
        guard let name else { return nil }
        if name == "main" { return .mainActor }
        if let entry = context.agent.shared.objects.entry(name) {
            guard !entry.isGone else { throw ObjectReading.gone(entry) }
            guard !entry.owner.isNone else {
                throw CommandFailure(
                    .usage, "\(name.escaped(limit: 100)) was registered without an owner",
                    hint: "`objects` shows which have one")
            }
            return entry.owner
        }
        return .queue(try HeldQueue.find(name, in: context))
    }
}
#endif
