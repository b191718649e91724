#if TELLTALE_AGENT
import TelltaleProtocol

extension SetCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        ChangeAnswer(
            change: try PathChanging(context: context).set(
                parameters.path, to: parameters.value))
    }
}
#endif
