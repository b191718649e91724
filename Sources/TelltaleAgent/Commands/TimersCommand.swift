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
            // Dispatch watches its own threads by a timer; it is nobody's business but its own.
            if parameters.all != true, DispatchSymbols.isOwn(frame?.function) {
                return nil
            }
            return TimersAnswer.Entry(
                address: Quantity.address(timer.address),
                kind: timer.isAfter ? "asyncAfter" : "timer",
                queue: timer.queue.flatMap { picture.labels[$0] }, firesInSeconds: timer.firesIn,
                intervalSeconds: timer.interval, handler: frame?.title,
                file: frame?.file, line: frame?.line, isCancelled: timer.isCancelled,
                suspendCount: timer.suspendCount)
        }
        return TimersAnswer(timers: entries, notes: picture.notes(on: .timers))
    }
}
#endif
