#if TELLTALE_AGENT
import TelltaleProtocol

extension GetCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let limits = context.agent.readLimits(
            until: context.deadline, depth: parameters.depth, elements: parameters.limit)
        return PlainAnswer(
            try PathReading(context: context).read(
                parameters.path, limits: limits, snapshot: false))
    }
}
#endif
