#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// The completions of a queue name, for `queue` and similar commands.
struct QueueNames {
    /// Time limit for a person who is typing; a search of a large heap takes longer.
    private static let timeout: Duration = .milliseconds(150)

    let labels: [String]

    /// Collects the labels of the queues of the process. Queues that are observed, or that a client has
    /// suspended, are found without a search.
    init(context: CommandContext) {
        let picture = context.agent.capture(
            .queues, until: min(context.deadline, .now.advanced(by: Self.timeout)))
        let agent = context.agent
        let known = agent.shared.observedQueues.map(\.queue) + agent.holds.queues
        labels = Array(Set(picture.queues.map(\.label) + known.map(\.shownLabel)))
    }

    init(labels: [String]) { self.labels = labels }

    /// Returns the labels that begin with `typed`, `main`, and those suffixes of labels that identify one
    /// queue.
    func beginning(with typed: String) -> [String] {
        var names = Set((labels + ["main"]).filter { !$0.isEmpty && $0.hasPrefix(typed) })
        // Without any input, suffixes would list each queue twice.
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
