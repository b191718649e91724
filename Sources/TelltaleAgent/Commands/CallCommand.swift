#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `call`: runs a registered action.
enum CallCommand: AgentCommand {
    static let name = "call"

    static func run(
        _ parameters: CallParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        .call(
            try ActionCalling(context: context).call(
                parameters.action, arguments: parameters.arguments))
    }
}
#endif
