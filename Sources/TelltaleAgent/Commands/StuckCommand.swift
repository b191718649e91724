#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension StuckCommand: AgentCommand {
    /// What is left of the time for the answer itself.
    private static let margin = Duration.milliseconds(500)

    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let time = max(context.deadline.remaining - margin, .milliseconds(100))
        let search = StuckSearch(agent: context.agent, deadline: .now.advanced(by: time))
        return search.answer(from: search.capture())
    }
}
#endif
