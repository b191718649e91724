#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension TimersCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let picture = context.capture([.timers, .queues])
        let all = picture.timers
        let shown = parameters.all == true ? all : all.filter { !$0.isCancelled }
        let sorted = shown.sorted {
            ($0.firesIn ?? .infinity, $0.address) < ($1.firesIn ?? .infinity, $1.address)
        }
        let entries = sorted.compactMap { timer -> TimersAnswer.Entry? in
            let frame = timer.handler.flatMap { picture.names[$0]?.first }
            // Dispatch watches its own threads with a timer, which is of no interest to users.
            if parameters.all != true, timer.isDispatchsOwn { return nil }
            var entry = TimersAnswer.Entry(
                address: Quantity.address(timer.address),
                kind: timer.isAfter ? "asyncAfter" : "timer")
            entry.queue = timer.queue.flatMap { picture.labels[$0] }
            entry.firesInSeconds = timer.firesIn
            entry.intervalSeconds = timer.interval
            entry.handler = frame?.title
            entry.file = frame?.sourceFile
            entry.line = frame?.line
            entry.isCancelled = timer.isCancelled
            entry.suspendCount = timer.suspendCount
            return entry
        }
        return TimersAnswer(timers: entries, notes: picture.notes(on: .timers))
    }
}
#endif
