#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension ThreadsCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let survey = ThreadSurvey(
            agent: context.agent, withFrames: false, deadline: context.answerDeadline)
        try survey.check()
        return survey.threadsAnswer(all: parameters.all ?? false)
    }
}
#endif
