#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension QueuesCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        // The picture comes first, so that the agent's own items aren't in it.
        let picture = context.capture(.queues)
        var asking = QueueAsking(agent: context.agent)
        asking.start()
        let asked = asking.finish(until: context.ownerDeadline, picture)
        return QueuesAnswer(picture, asked: asked, all: parameters.all == true)
    }
}
#endif
