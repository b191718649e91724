#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension TasksCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let survey = TaskSurvey(agent: context.agent, deadline: context.deadline)
        return try survey.tasksAnswer(full: parameters.full ?? false)
    }
}
#endif
