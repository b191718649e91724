#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `changes`: what was changed, by whom.
enum ChangesCommand: AgentCommand {
    static let name = "changes"

    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        .changes(context.agent.changes.answer)
    }
}
#endif
