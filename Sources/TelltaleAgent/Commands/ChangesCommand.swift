#if TELLTALE_AGENT
import TelltaleProtocol

extension ChangesCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var answer = context.agent.changes.answer
        if parameters.all != true, answer.changes.count > shown {
            answer.older = answer.changes.count - shown
            answer.changes.removeFirst(answer.changes.count - shown)
        }
        return answer
    }
}
#endif
