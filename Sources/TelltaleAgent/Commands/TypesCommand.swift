#if TELLTALE_AGENT
import TelltaleProtocol

extension TypesCommand: AgentCommand {
    /// How many are listed unless more are asked for.
    private static let limit = 100

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard let images = LoadedImages.read() else {
            throw CommandFailure(.internal, "what is loaded can't be listed")
        }
        let word = parameters.word?.lowercased()
        let fitting = ProgramTypes.all(images).filter { type in
            word.map { "\(type.module).\(type.name)".lowercased().holds($0) } ?? true
        }
        let listed = fitting.prefix(min(max(parameters.limit ?? limit, 0), ProgramTypes.capacity))
        return TypesAnswer(
            types: listed.map {
                TypesAnswer.Entry(
                    name: $0.name, module: $0.module, kind: $0.kind,
                    isGeneric: $0.isGeneric ? true : nil)
            }, omitted: fitting.count - listed.count, notes: [])
    }
}
#endif
