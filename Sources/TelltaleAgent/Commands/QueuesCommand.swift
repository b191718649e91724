#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

extension QueuesCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        // The picture is taken first, so that the agent's own items aren't in it.
        var capture = context.capturing([.queues, .threads, .eventLoops])
        // Threads are captured to find the waiters of event loops; the stacks of other threads aren't
        // needed.
        capture.stacks = .none
        let picture = capture.take()
        var asking = QueueAsking(agent: context.agent)
        asking.start()
        let asked = asking.finish(until: context.ownerDeadline, picture)
        return QueuesAnswer(picture, asked: asked, all: parameters.all == true)
    }
}
#endif
