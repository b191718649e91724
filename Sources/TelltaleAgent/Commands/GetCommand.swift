#if TELLTALE_AGENT
import TelltaleProtocol

extension GetCommand: AgentCommand {
    static let hasTargets = true

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        context.names(ofPath: parameters.path)
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let reading = PathReading(
            context: context, isConfirmed: parameters.isConfirmed == true)
        let options = ReadingOptions(
            depth: parameters.depth, limit: parameters.limit, match: parameters.match,
            fields: parameters.fields, isTable: parameters.table ?? false,
            isBrief: parameters.brief ?? false)
        do throws(CommandFailure) {
            return PlainAnswer(
                try reading.answer(parameters.path, options))
        } catch {
            return PlainAnswer(
                try ComputedGetting(
                    context: context, isConfirmed: parameters.isConfirmed == true, options: options
                ).read(
                    parameters.path, else: error))
        }
    }
}
#endif
