#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension RootsCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let agent = context.agent
        guard let all = agent.roots.roots(agent.symbols, until: context.answerDeadline) else {
            throw CommandFailure(
                .timeout, "the program's symbols were not read by the deadline",
                hint: "--timeout gives it longer")
        }
        let filter = parameters.filter
        let fitting = all.variables.filter {
            filter.fits("\($0.module).\($0.name)", $0.typeName)
        }
        let listed = fitting.prefix(parameters.count(most: RootTable.capacity))
        var notes = all.problems
        if all.isCut {
            notes.append("more than \(Quantity.count(RootTable.capacity)) are not listed")
        }
        return RootsAnswer(
            roots: listed.map(entry), omitted: fitting.count - listed.count, notes: notes)
    }

    private static func entry(_ root: RootVariable) -> RootsAnswer.Entry {
        let state =
            switch root.state {
            case .made: "made"
            case .notYet: "not yet"
            case .beingMade: "being made"
            }
        return RootsAnswer.Entry(
            name: root.name, module: root.module, type: root.typeName, state: state,
            address: Quantity.address(root.address))
    }
}
#endif
