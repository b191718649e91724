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
        case .job: return try cancelJob(parameters.id, in: context)
        default:
            throw CommandFailure(
                .unsupported,
                "a \(parameters.kind.rawValue.escaped(limit: 40)) can't be cancelled",
                hint:
                    "`cancel item QUEUE ADDRESS`, `cancel operation NAME`, `cancel task N` and "
                    + "`cancel job N` are what there is")
        }
    }

    private static func cancelJob(
        _ id: String, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard let number = Int(id) else {
            throw CommandFailure(.usage, "'\(id.escaped(limit: 40))' is not the number of a job")
        }
        let target = try context.agent.jobs.cancel(number)
        let record = context.agent.changes.addCall(
            "job \(number) \(target)", arguments: "cancel", result: "cancelled", by: context.author)
        return ControlAnswer(
            action: "cancel", target: "job \(number) \(target)", result: "cancelled",
            note: "the task stops when it next checks for cancellation; this can't be undone",
            change: record.number)
    }
}
#endif
