#if TELLTALE_AGENT
import TelltaleProtocol

extension CycleCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let object = try SoughtObject(parameters.path, in: context)
        let search = try object.holders(in: context)
        _ = search.direct()
        return CycleAnswer(object: object.entry, steps: search.cycle(), notes: search.gaps)
    }
}
#endif
