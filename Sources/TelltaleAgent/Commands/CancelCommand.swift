#if TELLTALE_AGENT
import TelltaleProtocol

extension CancelCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        switch parameters.kind {
        case .task:
            return try TaskCancelling(context: context).cancel(parameters.id)
        case .operation:
            return try OperationCancelling(context: context).cancel(parameters.id)
        case .item:
            return try ItemCancelling(context: context).cancel(
                parameters.id, on: parameters.queue ?? "")
        default:
            throw CommandFailure(
                .unsupported,
                "a \(parameters.kind.rawValue.escaped(limit: 40)) can't be cancelled",
                hint:
                    "`cancel item QUEUE ADDRESS`, `cancel operation NAME` and `cancel task N` are "
                    + "what there is")
        }
    }
}
#endif
