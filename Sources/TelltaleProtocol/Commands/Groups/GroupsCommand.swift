#if TELLTALE_COMPILED
/// `groups`: what was not left yet, and who waits.
package enum GroupsCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = GroupsAnswer

    package static let description = CommandDescription(
        "groups [--all]", "dispatch groups: what was not left yet, and who waits",
        detail: """
            Found in memory, so none has to be registered.
            --all    also idle ones
            """)
}

/// What `groups` answers.
public struct GroupsAnswer: CommandAnswer {
    package static let kind = "groups"

    /// One dispatch group.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its address, hexadecimal with `0x`.
        public var address: String
        /// The name under which it is observed.
        public var name: String?
        /// How many `enter`s have had no `leave` yet.
        public var outstanding: Int
        /// The threads that wait for it.
        public var waiters: [Int32] = []
        /// Those of them that are the agent's own.
        public var agentThreads: [Int32]?
        /// Somebody waits for it.
        public var hasWaiters = false
        /// Something is to run when it is empty.
        public var hasNotify = false
        /// The function that is to run then.
        public var notify: String?
        /// What else is to be known.
        public var note: String?

        package init(address: String, outstanding: Int) {
            self.address = address
            self.outstanding = outstanding
        }
    }

    /// The groups; those with something outstanding first.
    public var groups: [Entry]
    /// How many idle ones were left out.
    public var hidden: Int?
    /// What could not be had, and why.
    public var notes: [String]

    package init(groups: [Entry], hidden: Int? = nil, notes: [String] = []) {
        self.groups = groups
        self.hidden = hidden
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([
            .init("group"), .init("outstanding", isNumber: true), .init("waits for it"),
            .init("then", goesBelow: true), .init("note", goesBelow: true),
        ])
        for group in groups {
            let threads = DispatchText.threads(group.waiters, group.agentThreads)
            table.add([
                group.name ?? group.address, Quantity.count(group.outstanding),
                threads.isEmpty && group.hasWaiters ? "yes" : threads,
                group.notify ?? (group.hasNotify ? "yes" : ""), group.note ?? "",
            ])
        }
        return DispatchText.lines(
            table, groups.count, hidden, of: "groups", "idle", notes, style)
    }
}
#endif
