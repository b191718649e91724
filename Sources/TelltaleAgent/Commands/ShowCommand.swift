#if TELLTALE_AGENT
import TelltaleProtocol

extension ShowCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let limits = context.agent.readLimits(
            until: context.deadline, depth: parameters.depth, elements: parameters.limit)
        var answer = try PathReading(context: context).read(
            parameters.path, limits: limits, snapshot: parameters.snapshot ?? false)
        if parameters.describe == true {
            answer.value.note = try PathReading(context: context).describe(parameters.path)
        }
        return answer
    }
}
#endif
