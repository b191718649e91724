#if TELLTALE_AGENT
import Dispatch
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

/// Finds the queue that a name means.
enum QueueSearch {
    /// The queue called `name`: its address, its label, or the end of that.
    ///
    /// - Parameters:
    ///   - name: What was typed.
    ///   - queues: The queues that there are.
    /// - Returns: The one that is meant.
    /// - Throws: `.notFound`, or `.conflict` with the addresses.
    static func find(
        _ name: String, among queues: [QueueFacts]
    ) throws(CommandFailure) -> QueueFacts {
        if name.hasPrefix("0x"), let address = UInt(name.dropFirst(2), radix: 16),
            let queue = queues.first(where: { $0.address == address })
        {
            return queue
        }
        // Labels have no secrets any more; who knows one may type it.
        let name = HostLabel.shown(name)
        var found = queues.filter { $0.label == name }
        if found.isEmpty {
            found = queues.filter { $0.label.hasSuffix("." + name) }
        }
        if found.isEmpty, name == "main" { found = queues.filter { $0.kind == .main } }
        if found.isEmpty, !name.isEmpty {
            found = queues.filter { $0.label.hasSuffix(name) }
        }
        if found.count > 1 {
            let listed = found.prefix(8).map {
                "\(QueueListing.hex($0.address)) \(Text.oneLine($0.label, limit: 60))"
            }
            throw CommandFailure(
                .conflict,
                "\(found.count) queues are called `\(Text.oneLine(name, limit: 60))`: "
                    + listed.joined(separator: ", "),
                hint: "give the address of the one that you mean")
        }
        guard let queue = found.first else {
            throw CommandFailure(
                .notFound, "there is no queue `\(Text.oneLine(name, limit: 60))`",
                hint: "`queues --all` lists them")
        }
        return queue
    }
}

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

/// `suspend`: holds a queue for as long as the client is there.
enum SuspendCommand: AgentCommand {
    static let name = "suspend"

    static func run(
        _ parameters: SuspendParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let queue = try HeldQueue.find(parameters.queue, in: context)
        guard
            let count = context.agent.holds.suspend(
                queue, connection: context.connection, by: context.peer)
        else {
            throw CommandFailure(
                .bound, "this connection holds too many queues already",
                hint: "`resume` one of them")
        }
        return HeldQueue.answer(
            name, queue, result: "suspended (\(count))",
            note:
                "what runs on it now ends first; it goes on with `resume \(queue.shownLabel)`, "
                + "and when this connection ends", in: context)
    }
}

/// `resume`: lets a queue go on that `suspend` holds.
enum ResumeCommand: AgentCommand {
    static let name = "resume"

    static func run(
        _ parameters: SuspendParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let queue = try HeldQueue.find(parameters.queue, in: context)
        guard
            let rest = context.agent.holds.resume(
                queue, connection: context.connection, agent: context.agent)
        else {
            throw CommandFailure(
                .conflict, "\(queue.shownLabel) was not suspended by this connection",
                hint:
                    "a hold of the service's own ends with its own `resume`; one more than it "
                    + "expects would end the process")
        }
        return HeldQueue.answer(
            name, queue, result: rest > 0 ? "still suspended (\(rest))" : "resumed",
            in: context)
    }
}

/// A queue that may be suspended: the agent holds a reference to it.
enum HeldQueue {
    static func find(
        _ name: String, in context: CommandContext
    ) throws(CommandFailure) -> DispatchQueue {
        let survey = QueueSurvey(agent: context.agent)
        let known = survey.queues
        let layout = DispatchLayout.known(by: context.deadline)
        let reader = DispatchReader(layout: layout, deadline: context.deadline)
        let facts = known.compactMap { QueueKind.inner($0) }.compactMap { reader.queue(at: $0) }
        let found: QueueFacts
        do throws(CommandFailure) {
            found = try QueueSearch.find(name, among: facts)
        } catch  where error.code == .notFound {
            // It may be one that isn't held; that is said.
            let table = QueueTable.look(items: 0, deadline: context.deadline)
            let other = try QueueSearch.find(name, among: table.queues)
            guard other.kind != .main, other.kind != .global else { throw refusal(other) }
            throw CommandFailure(
                .unsupported,
                "\(Text.oneLine(other.label)) is not registered: it may be freed at any time, so "
                    + "it is not held",
                hint: "have the service call Telltale.observe(queue)")
        }
        guard found.kind != .main, found.kind != .global else { throw refusal(found) }
        guard let queue = known.first(where: { QueueKind.inner($0) == found.address }) else {
            throw CommandFailure(.notFound, "there is no queue `\(Text.oneLine(name))`")
        }
        return queue
    }

    /// Keeps what was done to a queue among the changes, and says it.
    static func answer(
        _ action: String, _ queue: DispatchQueue, result: String, note: String? = nil,
        in context: CommandContext
    ) -> Answer {
        let record = context.agent.changes.addHold(
            of: queue.shownLabel, result: result, by: context.peer)
        return .control(
            ControlAnswer(
                action: action, target: queue.shownLabel, result: result, note: note,
                change: record.number))
    }

    private static func refusal(_ facts: QueueFacts) -> CommandFailure {
        CommandFailure(
            .unsupported,
            facts.kind == .main
                ? "the main queue is not suspended: all of the service hangs on it"
                : "a global queue can't be suspended: Dispatch ignores it",
            hint: "`queues` lists the others")
    }
}
#endif
