#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// `timers`: dispatch timers and `asyncAfter`, the next to fire first.
enum TimersCommand: AgentCommand {
    static let name = "timers"

    static func run(
        _ parameters: KindParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let listing = QueueListing(
            survey: QueueSurvey(agent: context.agent), isSearching: true, items: 0,
            deadline: context.deadline)
        let table = QueueTable.look(for: .timers, deadline: context.deadline)
        let shown =
            parameters.all == true ? table.timers : table.timers.filter { !$0.isCancelled }
        let describer = ItemDescriber(
            agent: context.agent, listing: listing, deadline: context.deadline)
        let names = describer.names(of: shown.compactMap(\.handler))
        let sorted = shown.sorted {
            ($0.firesIn ?? .infinity, $0.address) < ($1.firesIn ?? .infinity, $1.address)
        }
        let entries = sorted.compactMap { timer -> TimersAnswer.Entry? in
            let frame = timer.handler.flatMap { names[$0] }
            // Dispatch watches its own threads by a timer; it is nobody's business but its own.
            if parameters.all != true, frame?.function?.hasPrefix("_dispatch_") == true {
                return nil
            }
            return TimersAnswer.Entry(
                address: QueueListing.hex(timer.address),
                kind: timer.isAfter ? "asyncAfter" : "timer",
                queue: listing.label(of: timer.queue), firesInSeconds: timer.firesIn,
                intervalSeconds: timer.interval, handler: frame.flatMap(ItemDescriber.name),
                file: frame?.file, line: frame?.line, isCancelled: timer.isCancelled,
                suspendCount: timer.suspendCount)
        }
        return .timers(TimersAnswer(timers: entries, notes: table.notes))
    }
}
#endif
