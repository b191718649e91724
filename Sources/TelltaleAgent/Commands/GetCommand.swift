#if TELLTALE_AGENT
import TelltaleProtocol

extension GetCommand: AgentCommand {
    static let hasTargets = true

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        context.names(ofPath: parameters.path)
    }

    static let isKept = true

    static func keptPath(_ parameters: Parameters) -> KeptPath? {
        let isWhole =
            parameters.match == nil && parameters.fields == nil && parameters.table != true
        guard isWhole else { return nil }
        return KeptPath(
            path: parameters.path, depth: parameters.depth, limit: parameters.limit)
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let options = ReadingOptions(
            depth: parameters.depth, limit: parameters.limit, match: parameters.match,
            fields: parameters.fields, isTable: parameters.table ?? false)
        do throws(CommandFailure) {
            return PlainAnswer(
                try PathReading(context: context).answer(parameters.path, options))
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
