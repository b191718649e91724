#if TELLTALE_AGENT
import TelltaleProtocol

extension DumpCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var dump: DumpAnswer
        if let id = parameters.id {
            dump = try context.agent.dumps.dump(id)
        } else {
            dump = context.agent.makeDump(cause: .client(context.peer))
        }
        if parameters.stream == true {
            context.send(dump.lines)
            dump.lines = []
        }
        return dump
    }
}
#endif
