#if TELLTALE_AGENT
import TelltaleProtocol

extension HelpCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        try CommandTable.help(for: parameters.command)
    }
}
#endif
