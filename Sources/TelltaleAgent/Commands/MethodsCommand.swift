#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension MethodsCommand: AgentCommand {
    /// The maximum number of listed methods.
    private static let most = 1000

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard let images = LoadedImages.read() else {
            throw CommandFailure(.internal, "what is loaded can't be listed")
        }
        let types = ProgramTypes.all(images)
        let typed = parameters.type
        var fitting = types.filter { $0.name == typed || "\($0.module).\($0.name)" == typed }
        if fitting.isEmpty { fitting = types.filter { $0.name.endsWithPart(typed) } }
        guard let type = fitting.first else {
            throw CommandFailure(
                .notFound, "the program declares no type `\(typed.escaped(limit: 100))`",
                hint: NearestNames.question(typed, among: types.map(\.name))
                    ?? "`types` lists them")
        }
        let symbols = ProgramTypes.functions(
            of: type.descriptor, images, context.agent.symbols, until: context.answerDeadline)
        let isClass = type.kind == "class" || type.kind == "actor"
        let known = TypeMethods.own(
            of: type.descriptor, isClass: isClass, context.agent.symbols,
            until: context.answerDeadline)
        var refusals: [String: String] = [:]
        for method in known?.methods ?? [] {
            refusals[method.symbol] = method.refusal
        }
        var list = MethodList(of: type)
        for (symbol, _) in symbols?.all ?? [] { list.add(symbol, refusal: refusals[symbol]) }
        var notes: [String] = []
        if symbols == nil {
            notes.append("not available: the program's symbols were stripped, or not read in time")
        }
        if fitting.count > 1 {
            notes.append("\(fitting.count) types have this name; this is the one of \(type.module)")
        }
        return MethodsAnswer(
            type: type.name, module: type.module, methods: list.all.prefix(most).map(\.text),
            refusals: list.all.prefix(most).map(\.refusal),
            omitted: max(0, list.all.count - most), notes: notes)
    }
}
#endif
