#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `threads`: what each thread does. None of them is interrupted.
enum ThreadsCommand: AgentCommand {
    static let name = "threads"

    static func run(
        _ parameters: ThreadsParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let survey = ThreadSurvey(
            agent: context.agent, withFrames: false, deadline: context.answerDeadline)
        try survey.check()
        return .threads(survey.threadsAnswer(all: parameters.all ?? false))
    }
}
#endif
