#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `status`: the line of the status signal.
enum StatusCommand: AgentCommand {
    static let name = "status"

    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        .status(context.agent.statusAnswer())
    }
}
#endif
