#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

extension ThreadsCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var capture = context.capturing([.threads, .stacks])
        // Only an interrupt would show the function of a thread that runs.
        capture.stacks = .ofWaiting
        let picture = capture.take()
        if let reason = picture.absence(of: .threads) {
            throw CommandFailure(.unsupported, reason)
        }
        return ThreadsAnswer(picture, all: parameters.all ?? false)
    }
}
#endif
