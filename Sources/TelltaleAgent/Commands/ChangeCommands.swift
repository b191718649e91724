#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `set`: changes a stored property.
enum SetCommand: AgentCommand {
    static let name = "set"

    static func run(
        _ parameters: SetParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        .change(
            ChangeAnswer(
                change: try PathChanging(context: context).set(
                    parameters.path, to: parameters.value)))
    }
}

/// `undo`: puts a changed value back.
enum UndoCommand: AgentCommand {
    static let name = "undo"

    static func run(
        _ parameters: UndoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        .change(
            ChangeAnswer(change: try PathChanging(context: context).undo(parameters.number)))
    }
}

/// `changes`: what was changed, by whom.
enum ChangesCommand: AgentCommand {
    static let name = "changes"

    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        .changes(context.agent.changes.answer)
    }
}
#endif
