#if TELLTALE_AGENT
import TelltaleProtocol

extension UndoCommand: AgentCommand {
    static func run(
        _ parameters: ChangeNumber, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        try ChangeUndoing(context: context).undo(
            parameters.number, isPreview: parameters.preview == true)
    }
}
#endif
