#if TELLTALE_AGENT
import TelltaleProtocol

extension UndoCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        ChangeAnswer(change: try PathChanging(context: context).undo(parameters.number))
    }
}
#endif
