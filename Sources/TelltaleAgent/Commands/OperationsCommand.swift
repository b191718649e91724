#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `operations`: operation queues and the main thread's run loop.
enum OperationsCommand: AgentCommand {
    static let name = "operations"

    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var survey = context.agent.surveyOperations(until: context.ownerDeadline)
        if survey.queues.isEmpty, survey.notes.isEmpty {
            survey.notes.append(
                "the service shows none: import TelltaleFoundation; "
                    + "Telltale.observe(operationQueue)")
        }
        return .operations(survey.answer)
    }
}
#endif
