#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// The names that `queue` and its like take, for a half-typed one.
struct QueueNames {
    /// A search of a large heap takes longer than somebody who types waits.
    private static let timeout: Duration = .milliseconds(150)

    let labels: [String]

    /// Of the queues of the process; those that are observed, or that a client has suspended, come without a
    /// search.
    init(context: CommandContext) {
        let picture = context.agent.capture(
            .queues, until: min(context.deadline, .now.advanced(by: Self.timeout)))
        let agent = context.agent
        let known = agent.shared.observedQueues.map(\.queue) + agent.holds.queues
        labels = Array(Set(picture.queues.map(\.label) + known.map(\.shownLabel)))
    }

    init(labels: [String]) { self.labels = labels }

    /// The labels that begin with `typed`, `main`, and the ends of labels that mean one queue alone.
    func beginning(with typed: String) -> [String] {
        var names = Set((labels + ["main"]).filter { !$0.isEmpty && $0.hasPrefix(typed) })
        // Nobody wants each queue twice.
        guard !typed.isEmpty else { return names.sorted() }
        var ends: [String: Int] = [:]
        for label in labels {
            var rest = Substring(label)
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                if !rest.isEmpty { ends[String(rest), default: 0] += 1 }
            }
        }
        for (end, count) in ends where count == 1 && end.hasPrefix(typed) { names.insert(end) }
        return names.sorted()
    }
}
#endif
