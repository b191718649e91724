#if TELLTALE_COMPILED
/// `groups`: unbalanced `enter` calls, and waiters.
package enum GroupsCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = GroupsAnswer

    package static let description = CommandDescription(
        "groups [--all]", "dispatch groups: unbalanced enter() calls and waiters",
        detail: """
            Found in memory, so none has to be registered.
            --all    also idle ones
            """)
}

/// The answer to `groups`.
public struct GroupsAnswer: CommandAnswer {
    package static let kind = "groups"

    /// A dispatch group.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its address, hexadecimal with `0x`.
        public var address: String
        /// The name under which it is observed.
        public var name: String?
        /// The number of `enter`s without a `leave` yet.
        public var outstanding: Int
        /// The threads that wait for it.
        public var waiters: [Int32] = []
        /// The agent's own threads among them.
        public var agentThreads: [Int32]?
        /// Indicates that threads wait for it.
        public var hasWaiters = false
        /// Something is to run when it is empty.
        public var hasNotify = false
        /// The function that is to run then.
        public var notify: String?
        /// A remark about this entry.
        public var note: String?

        package init(address: String, outstanding: Int) {
            self.address = address
            self.outstanding = outstanding
        }
    }

    /// The groups; those with something outstanding first.
    public var groups: [Entry]
    /// The number of idle entries left out.
    public var hidden: Int?
    /// Parts that are not available, with the reason.
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
