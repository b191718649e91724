#if TELLTALE_AGENT
import TelltaleProtocol

extension GetCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        PlainAnswer(
            try PathReading(context: context).answer(
                parameters.path,
                ReadingOptions(
                    depth: parameters.depth, limit: parameters.limit, match: parameters.match,
                    fields: parameters.fields, isTable: parameters.table ?? false)))
    }
}
#endif
