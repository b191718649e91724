#if TELLTALE_COMPILED
/// `actors`: busy or idle, and the jobs that wait.
package enum ActorsCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = ActorsAnswer

    package static let description = CommandDescription(
        "actors [--all]", "actors: busy or idle, and the jobs that wait",
        detail: """
            Found in memory, so none has to be registered.
            --all    also idle ones
            """)
}

/// The answer to `actors`.
public struct ActorsAnswer: CommandAnswer {
    package static let kind = "actors"

    /// An actor.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its type.
        public var type: String
        /// Its address, hexadecimal with `0x`.
        public var address: String
        /// The name under which it is registered.
        public var name: String?
        /// `idle`, `scheduled` or `running`.
        public var state: String
        /// The tasks whose jobs wait for it, in order: `#12 refresh`.
        public var jobs: [String]
        /// The number of further waiting jobs.
        public var omitted: Int?
        /// The thread that runs on it.
        public var thread: Int32?
        /// Indicates that the thread is one of the agent's own.
        public var isAgent: Bool?
        /// A remark about this entry.
        public var note: String?

        package init(
            type: String, address: String, name: String? = nil, state: String,
            jobs: [String] = [], omitted: Int? = nil, thread: Int32? = nil,
            isAgent: Bool? = nil, note: String? = nil
        ) {
            self.type = type
            self.address = address
            self.name = name
            self.state = state
            self.jobs = jobs
            self.omitted = omitted
            self.thread = thread
            self.isAgent = isAgent
            self.note = note
        }
    }

    /// The actors; those with jobs first.
    public var actors: [Entry]
    /// The number of idle entries left out.
    public var hidden: Int?
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(actors: [Entry], hidden: Int? = nil, notes: [String] = []) {
        self.actors = actors
        self.hidden = hidden
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([
            .init("actor"), .init("address", isExtra: true), .init("state"),
            .init("jobs", isNumber: true),
            .init("first in line", goesBelow: true), .init("note", goesBelow: true),
        ])
        for actor in actors {
            let shown = actor.jobs.prefix(4)
            let count = actor.jobs.count &+ max(0, actor.omitted ?? 0)
            let more = count &- shown.count
            let thread = actor.thread.map { " on thread \($0)" + AgentMark.of(actor.isAgent) } ?? ""
            table.add([
                actor.name.map { "\($0): \(actor.type)" } ?? actor.type, actor.address,
                actor.state + thread, Quantity.count(count),
                shown.joined(separator: ", ")
                    + (more > 0 ? " … \(Quantity.count(more)) more" : ""),
                actor.note ?? "",
            ])
        }
        return DispatchText.lines(
            table, actors.count, hidden, of: "actors", "idle", notes, style)
    }
}
#endif
