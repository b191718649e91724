#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension QueuesCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        // The picture comes first, so that the agent's own items aren't in it.
        var capture = context.capturing([.queues, .threads, .eventLoops])
        // Threads are looked at for who waits on which event loop; that needs no stacks of the rest.
        capture.stacks = .none
        let picture = capture.take()
        var asking = QueueAsking(agent: context.agent)
        asking.start()
        let asked = asking.finish(until: context.ownerDeadline, picture)
        return QueuesAnswer(picture, asked: asked, all: parameters.all == true)
    }
}
#endif
