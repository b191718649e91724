#if TELLTALE_AGENT
import TelltaleProtocol

extension JobsCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer { try context.agent.jobs.answer(parameters.number) }
}
#endif
