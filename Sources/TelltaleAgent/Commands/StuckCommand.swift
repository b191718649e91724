#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleSystem

extension StuckCommand: AgentCommand {
    /// What is left of the time for the answer itself.
    private static let margin = Duration.milliseconds(500)
    /// What a probe counts has stood still for so many seconds.
    private static let probed = 30.0

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let after = parameters.afterSeconds.map { min(max($0, 0), 86_400) }
        var answer: StuckAnswer
        if parameters.probe == true {
            answer = try probe(after ?? probed, context.agent)
        } else {
            let time = max(context.deadline.remaining - margin, .milliseconds(100))
            var search = StuckSearch(
                agent: context.agent, deadline: .now.advanced(by: time),
                thresholds: after.map { Thresholds.all($0) })
            search.watchesCores = true
            answer = search.answer(from: search.capture())
        }
        answer.isStrict = parameters.strict
        return answer
    }

    private static func probe(
        _ after: Double, _ agent: Agent
    ) throws(CommandFailure) -> StuckAnswer {
        let answer = agent.shared.probeLooks.answer(after: after, on: agent.threads) {
            var search = StuckSearch(
                agent: agent, deadline: .now.advanced(by: ProbeLooks.longest),
                thresholds: .all(after))
            search.isProbe = true
            search.mostPictures = 2
            return search.answer(from: search.capture())
        }
        guard let answer else {
            throw CommandFailure(
                .timeout, "there was no processor for a look at the process in time",
                hint: "`status` needs less")
        }
        return answer
    }
}
#endif
