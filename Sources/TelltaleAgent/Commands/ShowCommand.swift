#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `show`: a value as a tree.
enum ShowCommand: AgentCommand {
    static let name = "show"

    static func run(
        _ parameters: ShowParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let limits = context.agent.readLimits(
            until: context.deadline, depth: parameters.depth, elements: parameters.limit)
        var answer = try PathReading(context: context).read(
            parameters.path, limits: limits, snapshot: parameters.snapshot ?? false)
        if parameters.describe == true {
            answer.value.note = try PathReading(context: context).describe(parameters.path)
        }
        return .value(answer)
    }
}
#endif
