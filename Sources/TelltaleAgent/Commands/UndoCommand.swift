#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

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
#endif
