#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// `queue`: one queue, what waits on it, and who holds it.
enum QueueCommand: AgentCommand {
    static let name = "queue"
    private static let items = 32

    static func run(
        _ parameters: QueueParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let agent = context.agent
        let limit = min(max(parameters.limit ?? items, 0), 10_000)
        let survey = QueueSurvey(agent: agent)
        let listing = QueueListing(
            survey: survey, isSearching: true, deadline: context.deadline)
        guard !listing.table.queues.isEmpty else {
            throw CommandFailure(
                .unsupported,
                listing.table.notes.first ?? "not available: no queue can be read")
        }
        let found = try QueueSearch.find(parameters.name, among: listing.table.queues)
        // Its items are read again, all that were asked for: the first look took one of each queue.
        let reader = DispatchReader(
            layout: DispatchLayout.known(by: context.deadline), deadline: context.deadline)
        let facts = reader.queue(at: found.address, items: limit) ?? found
        var entry = listing.entry(facts)
        let asked = survey.finish(until: .now, isAsked: false).first {
            $0.address == entry.address
        }
        if let asked {
            entry.objects = asked.objects
            entry.qos = asked.qos
            entry.isObserved = true
        }
        var notes = listing.table.notes
        let shown = Array(facts.items.prefix(limit))
        let describer = ItemDescriber(
            agent: agent, listing: listing, deadline: context.deadline)
        let lines = describer.items(shown)
        var holder: StackAnswer.Group?
        if let thread = entry.thread {
            holder = describer.stack(of: thread, queue: facts.label, notes: &notes)
        }
        let omitted = (facts.waiting ?? 0) - shown.count
        return .queue(
            QueueAnswer(
                queue: entry, items: lines, omitted: omitted > 0 ? omitted : nil,
                holder: holder, notes: notes))
    }
}
#endif
