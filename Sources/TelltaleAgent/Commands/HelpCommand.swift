#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `help`: the commands.
enum HelpCommand: AgentCommand {
    static let name = "help"

    static func run(
        _ parameters: HelpParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        .help(try CommandTable.help(for: parameters.command))
    }
}
#endif
