#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `tasks`: every Swift task, what it waits for and where it goes on.
enum TasksCommand: AgentCommand {
    static let name = "tasks"

    static func run(
        _ parameters: TasksParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let survey = TaskSurvey(agent: context.agent, deadline: context.deadline)
        return .tasks(try survey.tasksAnswer(full: parameters.full ?? false))
    }
}
#endif
