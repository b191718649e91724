#if TELLTALE_AGENT
import TelltaleProtocol

extension RollbackCommand: AgentCommand {
    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let pending = try context.agent.pendingChanges.all(of: context.connection, orNone: true)
        context.agent.pendingChanges.end(context.connection)
        return Answer(
            action: description.name, target: "changes",
            result: Quantity.count(pending.count, "change was", "changes were") + " forgotten")
    }
}
#endif
