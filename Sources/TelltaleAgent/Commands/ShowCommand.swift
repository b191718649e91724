#if TELLTALE_AGENT
import TelltaleProtocol

extension ShowCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var asked: MemoryReading.Asked = []
        if parameters.bytes == true { asked.insert(.bytes) }
        if parameters.memory == true {
            asked.insert(.memory)
            _ = HeapLayout.calibration.known(by: context.deadline)
        }
        var limits = context.agent.readLimits(
            until: context.deadline, depth: parameters.depth ?? (asked.isEmpty ? nil : 0),
            elements: parameters.limit)
        limits.asked = asked
        var answer = try PathReading(context: context).read(
            parameters.path, limits: limits, snapshot: parameters.snapshot ?? false)
        if parameters.computed == true {
            answer.value.children += try PathReading(context: context).computed(
                parameters.path, limits: limits)
        }
        if parameters.describe == true {
            answer.value.note = try PathReading(context: context).describe(parameters.path)
        }
        return answer
    }
}
#endif
