#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension WatchCommand: AgentCommand {
    /// Without `--every` and without a configured one.
    private static let usual = Duration.seconds(5)

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard parameters.what == stuck else {
            throw CommandFailure(
                .usage, "'\(parameters.what.escaped(limit: 60))' can't be watched",
                hint: "watch stuck")
        }
        let agent = context.agent
        if parameters.off == true {
            let was = agent.hangWatch.threshold != nil
            try? agent.hangWatch.set(nil, for: agent)
            return ControlAnswer(
                action: description.name, target: stuck,
                result: was ? "off" : "off, as it was before")
        }
        let seconds = min(max(parameters.everySeconds ?? 0, 0), 86_400)
        let threshold =
            parameters.everySeconds == nil
            ? agent.configuration.hangWatch ?? usual
            : max(.milliseconds(Int64(seconds * 1000)), AgentConfiguration.shortestHang)
        do throws(SystemError) {
            try agent.hangWatch.set(threshold, for: agent)
        } catch {
            throw CommandFailure(.bound, "nothing is watched: \(error)")
        }
        return ControlAnswer(
            action: description.name, target: stuck,
            result:
                "an owner that makes no progress for \(Quantity.time(threshold)) gets a dump",
            note: "it goes on when this client has gone, until `watch stuck off`")
    }
}
#endif
