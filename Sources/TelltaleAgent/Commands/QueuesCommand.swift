#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// `queues`: every queue of the process, and how long the observed ones take to answer.
enum QueuesCommand: AgentCommand {
    static let name = "queues"

    static func run(
        _ parameters: QueuesParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        // The picture comes first, so that the agent's own items aren't in it.
        let picture = context.capture(.queues)
        var asking = QueueAsking(agent: context.agent)
        asking.start()
        let asked = asking.finish(until: context.ownerDeadline, picture)
        return .queues(QueuesAnswer(picture, asked: asked, all: parameters.all == true))
    }
}
#endif
