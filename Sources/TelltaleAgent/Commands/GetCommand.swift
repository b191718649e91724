#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `get`: a value alone, as it would be typed.
enum GetCommand: AgentCommand {
    static let name = "get"

    static func run(
        _ parameters: GetParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let limits = context.agent.readLimits(until: context.deadline)
        return .plain(
            try PathReading(context: context).read(
                parameters.path, limits: limits, snapshot: false))
    }
}
#endif
