#if TELLTALE_AGENT
import TelltaleProtocol

extension InstancesCommand: AgentCommand {
    /// The number of instances that are listed by default.
    private static let limit = 20

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let search = InstanceSearch(agent: context.agent, deadline: context.answerDeadline)
        // Runs on a worker: types may select their shown properties, and that is host code.
        let call = HostCall<Result<Answer, CommandFailure>>.on(
            .none, .read, in: .registration(0), workers: context.agent.workers,
            until: context.deadline
        ) {
            Result { () throws(CommandFailure) in
                try search.find(
                    parameters.type, where: parameters.where, limit: parameters.limit ?? limit)
            }
        }
        guard case .finished(let result) = call else {
            throw CommandFailure(
                .timeout, "the objects were not found by the deadline",
                hint: "`info` counts the agent's workers; --timeout gives it longer")
        }
        return try result.get()
    }
}
#endif
