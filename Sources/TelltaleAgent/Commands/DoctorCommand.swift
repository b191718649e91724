#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

extension DoctorCommand: AgentCommand {
    /// The time for the search for what could end a wait, beyond the time of watching.
    private static let search = Duration.seconds(4)
    /// The time for each count of the heap, and for finding who keeps the objects that grow.
    private static let heapTime = Duration.milliseconds(1500)

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let seconds = min(
            max(parameters.forSeconds ?? Parameters.usualSeconds, 0), Parameters.mostSeconds)
        let agent = context.agent
        var examination = DoctorExamination(
            by: agent, from: DoctorExamination.captured(by: agent), countingFor: heapTime)
        let began = MonotonicTime(examination.first.time)
        var search = StuckSearch(
            agent: agent, deadline: .now.advanced(by: .seconds(seconds) + Self.search))
        search.watchesCores = true
        let stuck = search.answer(from: examination.first)
        examination.look()
        // The search may have taken all the time; growth needs some of its own.
        let start = MonotonicTime.now
        let left = max(seconds - start.since(began).seconds, seconds / 2)
        for pause in examination.looks(within: left) {
            try wait(until: start.advanced(by: .seconds(pause)), in: context)
            examination.look()
        }
        try wait(until: start.advanced(by: .seconds(left)), in: context)
        var answer = examination.answer(with: stuck)
        answer.isStrict = parameters.strict
        return answer
    }

    /// Waits, and gives the connection's thread back soon if its client leaves.
    private static func wait(
        until moment: MonotonicTime, in context: CommandContext
    ) throws(CommandFailure) {
        while .now < moment {
            guard !context.isClientGone() else {
                throw CommandFailure(.gone, "the client has left while the process was watched")
            }
            let next = MonotonicTime.now.advanced(by: .milliseconds(100))
            _ = TimedCondition(false).wait(until: min(moment, next)) { $0 ? true : nil }
        }
    }
}
#endif
