#if TELLTALE_AGENT
import TelltaleProtocol

extension ChangesCommand: AgentCommand {
    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        context.agent.changes.answer
    }
}
#endif
