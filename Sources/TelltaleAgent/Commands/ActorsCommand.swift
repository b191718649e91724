#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension ActorsCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let survey = TaskSurvey(
            agent: context.agent, withFrames: false, deadline: context.deadline)
        return try survey.actorsAnswer(all: parameters.all ?? false)
    }
}
#endif
