#if TELLTALE_AGENT
import TelltaleProtocol

extension SuspendCommand: AgentCommand {
    static let hasTargets = true

    static func targets(_ parameters: HeldQueueParameters, in context: CommandContext) -> [String] {
        HeldQueue.names(parameters.queue, in: context)
    }

    static func run(
        _ parameters: HeldQueueParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let queue = try HeldQueue.find(parameters.queue, in: context)
        let count = try context.agent.holds.suspend(
            queue, connection: context.connection, by: context.peer)
        return HeldQueue.answer(
            description.name, queue, result: "suspended (\(count))",
            note:
                "what runs on it now ends first; it goes on with `resume \(queue.shownLabel)`, "
                + "and when this connection ends", in: context)
    }
}
#endif
