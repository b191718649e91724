#if TELLTALE_AGENT
import TelltaleProtocol

extension StatusCommand: AgentCommand {
    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        context.agent.statusAnswer()
    }
}
#endif
