#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension CompleteCommand: AgentCommand {
    /// The maximum number of candidates; a terminal shows no more.
    static let limit = 200

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard let word = parameters.of else {
            return try PathCompletion(context: context).complete(parameters.path)
        }
        if word == CompletionPlace.value {
            return try PathCompletion(context: context).values(of: parameters.path)
        }
        if word == CompletionPlace.argument {
            return ArgumentCompletion(context: context)
                .complete(parameters.path, index: parameters.index ?? 0)
        }
        let names: [String]
        switch CompletionPlace.Named(rawValue: word) {
        case .queue: names = QueueNames(context: context).beginning(with: parameters.path)
        case .thread: names = DirectoryListing.names(in: "/proc/self/task")
        case .type: names = TypeCompletion(context: context).names
        case nil: names = []
        }
        let fitting = Set(names.filter { $0.hasPrefix(parameters.path) })
            .sorted(by: NaturalOrder.isBefore)
        return CompletionAnswer(
            candidates: Array(fitting.prefix(limit)), isCut: fitting.count > limit)
    }
}
#endif
