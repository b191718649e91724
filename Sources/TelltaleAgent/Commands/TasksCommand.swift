#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

extension TasksCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var capture = context.capturing([.tasks, .threads, .stacks])
        capture.threads = Capture.whereTasksRun
        // A waiting thread is read without being touched; a running thread is not interrupted here.
        capture.stacks = .ofTasks
        let picture = capture.take()
        if let reason = picture.absence(of: .tasks) {
            throw CommandFailure(.unsupported, reason)
        }
        return TasksAnswer(
            picture, full: parameters.full ?? false, all: parameters.all ?? false)
    }
}
#endif
