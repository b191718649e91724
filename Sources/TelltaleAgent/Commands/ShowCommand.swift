#if TELLTALE_AGENT
import TelltaleProtocol

extension ShowCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        if parameters.computed == true, parameters.snapshot == true {
            throw CommandFailure(
                .usage,
                "--computed runs code of the service, which a frozen copy can't: not with --snapshot",
                hint: "`show \(parameters.path) --snapshot` reads what is stored")
        }
        var asked: MemoryReading.Asked = []
        if parameters.bytes == true { asked.insert(.bytes) }
        if parameters.memory == true {
            asked.insert(.memory)
            _ = HeapLayout.calibration.known(by: context.deadline)
        }
        let options = ReadingOptions(
            depth: parameters.depth ?? (asked.isEmpty ? nil : 0), limit: parameters.limit,
            snapshot: parameters.snapshot ?? false, match: parameters.match,
            fields: parameters.fields, isTable: parameters.table ?? false, asked: asked)
        var answer = try PathReading(context: context).answer(parameters.path, options)
        if parameters.computed == true {
            let limits = context.agent.readLimits(
                until: context.deadline, depth: options.depth, elements: options.limit)
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
