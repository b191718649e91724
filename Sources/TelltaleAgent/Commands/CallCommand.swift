#if TELLTALE_AGENT
import TelltaleProtocol

extension CallCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        try ActionCalling(context: context).call(
            parameters.action, arguments: parameters.arguments)
    }
}
#endif
