#if TELLTALE_AGENT
import TelltaleProtocol

extension HoldersCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let object = try SoughtObject(parameters.path, in: context)
        let search = try object.holders(in: context)
        let (holders, omitted) = search.direct()
        let way = parameters.way == true ? search.way() : nil
        return HoldersAnswer(
            object: object.entry, holders: holders, omitted: omitted, way: way, notes: search.gaps)
    }
}
#endif
