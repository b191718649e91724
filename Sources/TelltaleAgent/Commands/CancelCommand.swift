#if TELLTALE_AGENT
import TelltaleProtocol

/// `cancel`: asks a task, an operation or a work item to end.
enum CancelCommand: AgentCommand {
    static let name = "cancel"

    static func run(
        _ parameters: CancelParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        switch parameters.kind {
        case "task":
            return .control(try TaskCancelling(context: context).cancel(parameters.id))
        case "operation":
            return .control(try OperationCancelling(context: context).cancel(parameters.id))
        case "item":
            return .control(
                try ItemCancelling(context: context).cancel(
                    parameters.id, on: parameters.queue ?? ""))
        default:
            throw CommandFailure(
                .unsupported,
                "a \(parameters.kind.escaped(limit: 40)) can't be cancelled",
                hint:
                    "`cancel item QUEUE ADDRESS`, `cancel operation NAME` and `cancel task N` are "
                    + "what there is")
        }
    }
}
#endif
