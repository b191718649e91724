#if TELLTALE_AGENT
import TelltaleProtocol

extension UndoCommand: AgentCommand {
    static func changed(_ parameters: ChangeNumber) -> String? {
        parameters.preview == true ? nil : "change \(parameters.number)"
    }

    static func run(
        _ parameters: ChangeNumber, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        try ChangeUndoing(context: context).undo(
            parameters.number, isPreview: parameters.preview == true)
    }
}
#endif
