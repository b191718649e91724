#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleSystem

extension StuckCommand: AgentCommand {
    /// What is left of the time for the answer itself.
    private static let margin = Duration.milliseconds(500)
    /// How long a probe's pictures may take. They take 15 to 50 ms; a machine that has no processor for
    /// them, or a service with 50,000 tasks, gets more time, since a probe without an answer ends a
    /// service that is only busy. Those of the README wait for two seconds.
    private static let probe = Duration.milliseconds(1400)
    /// What a probe counts has stood still for so many seconds.
    private static let probed = 30.0

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let isProbe = parameters.probe == true
        let time =
            isProbe
            ? probe : max(context.deadline.remaining - margin, .milliseconds(100))
        let after = parameters.afterSeconds.map { min(max($0, 0), 86_400) }
        let thresholds = (after ?? (isProbe ? probed : nil)).map { Thresholds.all($0) }
        var search = StuckSearch(
            agent: context.agent, deadline: .now.advanced(by: time), thresholds: thresholds)
        if isProbe {
            search.isProbe = true
            search.mostPictures = 2
        }
        var answer = search.answer(from: search.capture())
        answer.isStrict = parameters.strict
        return answer
    }
}
#endif
