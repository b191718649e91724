#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension TypesCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard let images = LoadedImages.read() else {
            throw CommandFailure(.internal, "what is loaded can't be listed")
        }
        let filter = parameters.filter
        let all = ProgramTypes.all(images).filter { filter.fits("\($0.module).\($0.name)") }
        // A module's name is in all of its types; the type that is meant stands before them.
        let fitting =
            all.filter { filter.fits($0.name) } + all.filter { !filter.fits($0.name) }
        let listed = fitting.prefix(parameters.count(most: ProgramTypes.capacity))
        return TypesAnswer(
            types: listed.map {
                TypesAnswer.Entry(
                    name: $0.name, module: $0.module, kind: $0.kind,
                    isGeneric: $0.isGeneric ? true : nil)
            }, omitted: fitting.count - listed.count, notes: [])
    }
}
#endif
