#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension DumpCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var dump: DumpAnswer
        if let id = parameters.id {
            dump = try context.agent.dumps.dump(id)
        } else {
            if let shortage = MemoryRoom.shortage(for: .dump) { throw shortage.failure }
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
