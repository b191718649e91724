#if TELLTALE_AGENT
import TelltaleProtocol

extension ActionsCommand: AgentCommand {
    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let actions = context.agent.shared.actions.present.sorted { $0.name < $1.name }
        return ActionsAnswer(
            actions: actions.map {
                ActionsAnswer.Entry(
                    name: $0.name, parameters: $0.renderedParameters, result: $0.result,
                    owner: $0.owner.description, isAsync: $0.isAsync)
            })
    }
}
#endif
