#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// `actors`: busy or idle, and the jobs that wait.
enum ActorsCommand: AgentCommand {
    static let name = "actors"

    static func run(
        _ parameters: KindParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var capture = context.capturing([.actors, .threads])
        capture.threads = Capture.whereTasksRun
        let picture = capture.take()
        if let reason = picture.absence(of: .actors) {
            throw CommandFailure(.unsupported, reason)
        }
        return .actors(
            ActorsAnswer(
                picture, registered: context.agent.shared.objects.actorNames,
                all: parameters.all ?? false))
    }
}
#endif
