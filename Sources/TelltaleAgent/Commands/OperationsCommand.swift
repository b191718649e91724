#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension OperationsCommand: AgentCommand {
    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let picture = context.agent.capture(.operations, until: context.ownerDeadline)
        var answer = OperationsAnswer(picture)
        if answer.queues.isEmpty, answer.notes.isEmpty {
            answer.notes.append(
                "the service shows none: import TelltaleFoundation; "
                    + "Telltale.observe(operationQueue)")
        }
        return answer
    }
}
#endif
