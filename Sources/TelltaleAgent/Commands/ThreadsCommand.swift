#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension ThreadsCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let picture = context.capture(.threads)
        if let reason = picture.absence(of: .threads) {
            throw CommandFailure(.unsupported, reason)
        }
        return ThreadsAnswer(picture, all: parameters.all ?? false)
    }
}
#endif
