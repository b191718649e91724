#if TELLTALE_AGENT
import TelltaleProtocol

extension CommitCommand: AgentCommand {
    static func changed(_ parameters: NoParameters) -> String? { "what was collected" }

    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let pending = try context.agent.pendingChanges.all(of: context.connection)
        let answer = try ChangeCommitting(context: context).commit(pending)
        context.agent.pendingChanges.end(context.connection)
        return answer
    }
}
#endif
