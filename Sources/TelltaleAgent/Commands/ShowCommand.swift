#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension ShowCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let runsCode = parameters.computed == true || parameters.getters == true
        if runsCode, parameters.snapshot == true {
            throw CommandFailure(
                .usage,
                "\(parameters.computed == true ? "--computed" : "--getters") runs code of the service, which a frozen copy can't: not with --snapshot",
                hint: "`show \(parameters.path) --snapshot` reads what is stored")
        }
        var asked: MemoryReading.Asked = []
        if parameters.bytes == true { asked.insert(.bytes) }
        if parameters.memory == true {
            asked.insert(.memory)
            _ = HeapLayout.calibration.known(by: context.deadline)
        }
        let reading = PathReading(
            context: context, isConfirmed: parameters.isConfirmed == true)
        let options = ReadingOptions(
            depth: parameters.depth ?? (asked.isEmpty ? nil : 0), limit: parameters.limit,
            snapshot: parameters.snapshot ?? false, match: parameters.match,
            fields: parameters.fields, isTable: parameters.table ?? false, asked: asked,
            isBrief: parameters.brief ?? false)
        var answer: ValueAnswer
        do throws(CommandFailure) {
            answer = try reading.answer(parameters.path, options)
        } catch {
            return try ComputedGetting(
                context: context, isConfirmed: parameters.isConfirmed == true, options: options
            ).read(
                parameters.path, else: error)
        }
        if parameters.computed == true {
            let limits = context.agent.readLimits(
                until: context.deadline, depth: options.depth, elements: options.limit)
            answer.value.children += try reading.computed(
                parameters.path, limits: limits)
        }
        if parameters.getters == true {
            var below = options
            below.depth = max(0, (options.depth ?? context.agent.configuration.depth) - 1)
            answer.value.children += try ComputedGetting(
                context: context, isConfirmed: parameters.isConfirmed == true, options: below
            ).all(
                parameters.path, without: Set(answer.value.children.compactMap(\.label)))
        }
        if parameters.describe == true {
            answer.value.note = try reading.describe(parameters.path)
        }
        return answer
    }
}
#endif
