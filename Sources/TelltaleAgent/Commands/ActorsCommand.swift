#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `actors`: busy or idle, and the jobs that wait.
enum ActorsCommand: AgentCommand {
    static let name = "actors"

    static func run(
        _ parameters: KindParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let survey = TaskSurvey(
            agent: context.agent, withFrames: false, deadline: context.deadline)
        return .actors(try survey.actorsAnswer(all: parameters.all ?? false))
    }
}
#endif
