#if TELLTALE_AGENT
import TelltaleProtocol

extension ResumeCommand: AgentCommand {
    static let hasTargets = true

    static func targets(_ parameters: HeldQueueParameters, in context: CommandContext) -> [String] {
        HeldQueue.names(parameters.queue, in: context)
    }

    static func run(
        _ parameters: HeldQueueParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let queue = try HeldQueue.find(parameters.queue, in: context)
        guard
            let rest = context.agent.holds.resume(
                queue, connection: context.connection, agent: context.agent)
        else {
            throw CommandFailure(
                .conflict, "\(queue.shownLabel) was not suspended by this connection",
                hint:
                    "only the service can resume a queue that it suspended itself: a `resume()` more than it "
                    + "expects would end the process")
        }
        return HeldQueue.answer(
            description.name, queue, result: rest > 0 ? "still suspended (\(rest))" : "resumed",
            in: context)
    }
}
#endif
