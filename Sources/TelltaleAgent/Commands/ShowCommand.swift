#if TELLTALE_AGENT
import TelltaleProtocol

extension ShowCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var answer = try PathReading(context: context).answer(
            parameters.path,
            ReadingOptions(
                depth: parameters.depth, limit: parameters.limit,
                snapshot: parameters.snapshot ?? false, match: parameters.match,
                fields: parameters.fields, isTable: parameters.table ?? false))
        if parameters.describe == true {
            answer.value.note = try PathReading(context: context).describe(parameters.path)
        }
        return answer
    }
}
#endif
