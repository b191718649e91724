#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension OperationsCommand: AgentCommand {
    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var survey = context.agent.surveyOperations(until: context.ownerDeadline)
        if survey.queues.isEmpty, survey.notes.isEmpty {
            survey.notes.append(
                "the service shows none: import TelltaleFoundation; "
                    + "Telltale.observe(operationQueue)")
        }
        return survey.answer
    }
}
#endif
