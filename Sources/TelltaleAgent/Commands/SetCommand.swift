#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `set`: changes a stored property.
enum SetCommand: AgentCommand {
    static let name = "set"

    static func run(
        _ parameters: SetParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        .change(
            ChangeAnswer(
                change: try PathChanging(context: context).set(
                    parameters.path, to: parameters.value)))
    }
}
#endif
