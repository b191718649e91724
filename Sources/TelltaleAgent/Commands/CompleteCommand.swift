#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `complete`: how a half-typed path goes on.
enum CompleteCommand: AgentCommand {
    static let name = "complete"
    /// The most candidates that are sent; a terminal shows no more.
    static let limit = 200

    static func run(
        _ parameters: CompletionParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard let kind = parameters.of else {
            return .completion(try PathCompletion(context: context).complete(parameters.path))
        }
        let names: [String]
        switch kind {
        case "queue": names = QueueNames(context: context).beginning(with: parameters.path)
        case "thread": names = DirectoryListing.names(in: "/proc/self/task")
        default: names = []
        }
        let fitting = Set(names.filter { $0.hasPrefix(parameters.path) }).sorted()
        return .completion(
            CompletionAnswer(
                candidates: Array(fitting.prefix(limit)), isCut: fitting.count > limit))
    }
}
#endif
