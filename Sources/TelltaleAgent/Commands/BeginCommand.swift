#if TELLTALE_AGENT
import TelltaleProtocol

extension BeginCommand: AgentCommand {
    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        try context.agent.pendingChanges.begin(context.connection)
        return Answer(
            action: description.name, target: "changes",
            result: "collected from now on",
            note: "`commit` makes them, `rollback` or the end of this connection forgets them")
    }
}
#endif
