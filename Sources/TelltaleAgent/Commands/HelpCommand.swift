#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension HelpCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        try CommandTable.help(for: parameters.command)
    }
}
#endif
