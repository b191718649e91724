#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension SuspendCommand: AgentCommand {
    static let hasTargets = true

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        HeldQueue.names(parameters.queue, in: context)
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let queue = try HeldQueue.find(parameters.queue, in: context)
        if let seconds = parameters.forSeconds {
            guard times.contains(seconds) else {
                throw CommandFailure(.usage, "a queue is suspended for 1 s to 10 min")
            }
            let time = Duration.milliseconds(Int64(seconds * 1000))
            try context.agent.holds.suspend(queue, for: time, by: context.author)
            context.agent.wake.wake()
            return HeldQueue.answer(
                description.name, queue, result: "suspended for \(Quantity.time(time))",
                note:
                    "what runs on it now ends first; the agent resumes it then, also when this "
                    + "client has gone; sooner with `resume \(queue.shownLabel)`", in: context)
        }
        let count = try context.agent.holds.suspend(
            queue, connection: context.connection, by: context.author)
        return HeldQueue.answer(
            description.name, queue, result: "suspended (\(count))",
            note:
                "what runs on it now ends first; it goes on with `resume \(queue.shownLabel)`, "
                + "and when this connection ends", in: context)
    }
}
#endif
