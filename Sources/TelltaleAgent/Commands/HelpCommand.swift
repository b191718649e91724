#if TELLTALE_AGENT
import TelltaleProtocol

extension HelpCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let example = parameters.command.flatMap(CommandTable.command(named:))
            .flatMap(LiveExample(context: context).text)
        return try CommandTable.help(for: parameters.command, example: example)
    }
}
#endif
