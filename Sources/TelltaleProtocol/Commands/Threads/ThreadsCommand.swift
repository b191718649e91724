#if TELLTALE_COMPILED
/// `threads`: the activity of each thread. None of them is interrupted.
package enum ThreadsCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = ThreadsAnswer

    package static let description = CommandDescription(
        "threads [--all]", "threads: state, queue or task, function, cpu time",
        detail: """
            Main first. AT is the innermost function of the service's own in which a thread waits.
            The service is not stopped, and no thread is interrupted: `stack THREAD` shows one that runs.
            --all    also the agent's own
            """)
}

/// The answer to `threads`.
public struct ThreadsAnswer: CommandAnswer, MemberCoded {
    package static let kind = "threads"

    /// The threads: main first, then by id.
    public var threads: [ThreadEntry]
    /// The number of the agent's own threads that were left out.
    public var agentThreads: Int
    /// Parts that are not available, with the reason: `queues are not available: …`.
    public var notes: [String]

    package init(threads: [ThreadEntry], agentThreads: Int = 0, notes: [String] = []) {
        self.threads = threads
        self.agentThreads = agentThreads
        self.notes = notes
    }

    /// An empty one, to be read into.
    public init() { self.init(threads: []) }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("threads", &threads)
        coder.member("agentThreads", &agentThreads)
        coder.member("notes", &notes)
    }

    package func lines(_ style: TextStyle) -> [String] {
        let hasNotes = threads.contains { $0.note != nil }
        let hasPlaces = threads.contains { $0.function != nil }
        let places: [TextTable.Column] =
            hasPlaces ? [.init("at", goesBelow: true), .init("place", goesBelow: true)] : []
        var table = TextTable(
            [
                .init("thread", isNumber: true), .init("name"), .init("state"),
                .init("cpu", isNumber: true), .init("serves", goesBelow: true),
            ] + places + (hasNotes ? [.init("note", goesBelow: true)] : []))
        for thread in threads {
            table.add(
                [
                    "\(thread.id)", DispatchText.shown(threadName: thread.name) + thread.mark,
                    thread.stateText,
                    Quantity.time(seconds: thread.cpuSeconds, .field), thread.serves,
                ] + (hasPlaces ? thread.placeCells : []) + (hasNotes ? [thread.note ?? ""] : []))
        }
        var lines = threads.isEmpty ? ["no threads"] : table.rendered(style)
        if agentThreads > 0 {
            lines.append(
                "… and \(Quantity.count(agentThreads)) of the agent's own (`threads --all`)")
        }
        return lines + StackText.notes(notes, style)
    }

    /// The dump's line about all of them: `THREADS 19: 2 running, 17 waiting`.
    package var summary: String {
        var counts: [(state: String, count: Int)] = []
        for thread in threads {
            if let index = counts.firstIndex(where: { $0.state == thread.state }) {
                counts[index].count += 1
            } else if counts.count < 8 {
                counts.append((thread.state, 1))
            }
        }
        let said = counts.map { "\($0.count) \($0.state.escaped)" }
        return "THREADS \(threads.count): " + said.joined(separator: ", ")
    }
}
#endif
