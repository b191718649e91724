#if TELLTALE_AGENT
import TelltaleProtocol

extension UndoCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let changing = PathChanging(context: context, setters: PropertySetters())
        let change = try changing.readingSetters { () throws(CommandFailure) in
            try changing.undo(parameters.number)
        }
        return ChangeAnswer(change: change)
    }
}
#endif
