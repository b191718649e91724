#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension ActorsCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var capture = context.capturing([.actors, .threads])
        capture.threads = Capture.whereTasksRun
        let picture = capture.take()
        if let reason = picture.absence(of: .actors) {
            throw CommandFailure(.unsupported, reason)
        }
        return ActorsAnswer(
            picture, registered: context.agent.shared.objects.actorNames,
            all: parameters.all ?? false)
    }
}
#endif
