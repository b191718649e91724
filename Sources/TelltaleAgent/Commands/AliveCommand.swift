#if TELLTALE_AGENT
import TelltaleProtocol

extension AliveCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var parameters = parameters
        parameters.probe = true
        return try StuckCommand.run(parameters, in: context)
    }
}
#endif
