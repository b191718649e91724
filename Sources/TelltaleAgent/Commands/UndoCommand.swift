#if TELLTALE_AGENT
import TelltaleProtocol

extension UndoCommand: AgentCommand {
    static func changed(_ parameters: Parameters) -> String? {
        parameters.preview == true
            ? nil : parameters.number.map { "change \($0)" } ?? "the last change"
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let number =
            if let number = parameters.number { number } else {
                try context.agent.changes.last(of: context.peer)
            }
        return try ChangeUndoing(context: context).undo(
            number, isPreview: parameters.preview == true)
    }
}
#endif
