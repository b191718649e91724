#if TELLTALE_COMPILED
/// `semaphores`: values and waiters.
package enum SemaphoresCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = SemaphoresAnswer

    package static let description = CommandDescription(
        "semaphores [--all]", "dispatch semaphores: value, and who waits",
        detail: """
            Found in memory, so none has to be registered.
            --all    also those without a waiter
            """)
}

/// The answer to `semaphores`.
public struct SemaphoresAnswer: CommandAnswer {
    package static let kind = "semaphores"

    /// A dispatch semaphore. It has no owner: any thread may signal it.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its address, hexadecimal with `0x`.
        public var address: String
        /// The name under which it is observed.
        public var name: String?
        /// Its value; below 0, so many threads wait.
        public var value: Int
        /// The value that it was made with.
        public var original: Int
        /// The threads that wait for it, as far as they are known.
        public var waiters: [Int32] = []
        /// The agent's own threads among them.
        public var agentThreads: [Int32]?
        /// A remark about this entry.
        public var note: String?

        package init(address: String, value: Int, original: Int) {
            self.address = address
            self.value = value
            self.original = original
        }
    }

    /// The semaphores; those with waiters first.
    public var semaphores: [Entry]
    /// The number of semaphores without a waiter that were left out.
    public var hidden: Int?
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(semaphores: [Entry], hidden: Int? = nil, notes: [String] = []) {
        self.semaphores = semaphores
        self.hidden = hidden
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([
            .init("semaphore"), .init("value", isNumber: true),
            .init("made with", isNumber: true), .init("waits for it"),
            .init("note", goesBelow: true),
        ])
        for semaphore in semaphores {
            let threads = DispatchText.threads(semaphore.waiters, semaphore.agentThreads)
            let count =
                semaphore.value < 0
                ? Quantity.count(0 &- semaphore.value, "thread", "threads") : ""
            table.add([
                semaphore.name ?? semaphore.address, "\(semaphore.value)",
                "\(semaphore.original)", threads.isEmpty ? count : threads,
                semaphore.note ?? "",
            ])
        }
        return DispatchText.lines(
            table, semaphores.count, hidden, of: "semaphores", "without a waiter", notes, style)
    }
}
#endif
