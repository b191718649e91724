#if TELLTALE_AGENT
import TelltaleProtocol

extension CallCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let calling = ActionCalling(context: context)
        if context.agent.shared.actions.entry(parameters.action) == nil,
            let method = try MethodCalling(parameters.action, in: context)
        {
            return try method.call(
                parameters.arguments, isConfirmed: parameters.isConfirmed == true)
        }
        return try calling.call(parameters.action, arguments: parameters.arguments)
    }
}
#endif
