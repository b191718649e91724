#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `queues`: every queue of the process, and how long the observed ones take to answer.
enum QueuesCommand: AgentCommand {
    static let name = "queues"

    static func run(
        _ parameters: QueuesParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let survey = QueueSurvey(agent: context.agent)
        // The look comes first, so that the agent's own items aren't in the picture.
        let listing = QueueListing(
            survey: survey, isSearching: true, deadline: context.deadline)
        let isAsked = survey.start()
        let asked = survey.finish(
            until: context.ownerDeadline, isAsked: isAsked, facts: listing.facts)
        let (entries, hidden, omitted) = listing.entries(
            asked: asked, isAll: parameters.all == true)
        var notes = listing.table.notes
        if omitted > 0 { notes.append("\(omitted) more queues are not listed") }
        return .queues(
            QueuesAnswer(
                queues: entries, hidden: hidden > 0 ? hidden : nil,
                notes: notes.isEmpty ? nil : notes))
    }
}
#endif
