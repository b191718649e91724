#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// `threads`: what each thread does. None of them is interrupted.
enum ThreadsCommand: AgentCommand {
    static let name = "threads"

    static func run(
        _ parameters: ThreadsParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let picture = context.capture(.threads)
        if let reason = picture.absence(of: .threads) {
            throw CommandFailure(.unsupported, reason)
        }
        return .threads(ThreadsAnswer(picture, all: parameters.all ?? false))
    }
}
#endif
