#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// The queues as `queues` and the dump show them: what their memory says, and how long those that are
/// observed took to answer.
struct QueueListing: Sendable {
    let table: QueueTable
    private let labels: [UInt: String]

    /// Looks at the queues.
    ///
    /// - Parameters:
    ///   - survey: Those that are observed.
    ///   - isSearching: Whether all others are looked for too.
    ///   - items: How many items of each are described.
    ///   - deadline: When the look ends.
    init(survey: QueueSurvey, isSearching: Bool, items: Int = 1, deadline: MonotonicTime) {
        table = QueueTable.look(
            known: survey.addresses, isSearching: isSearching, items: items, deadline: deadline)
        labels = Dictionary(
            table.queues.map { ($0.address, $0.label) }, uniquingKeysWith: { first, _ in first }
        )
    }

    /// What is known of each, by its address.
    var facts: [UInt: QueueFacts] {
        Dictionary(
            table.queues.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
    }

    static func hex(_ address: UInt) -> String { "0x" + String(address, radix: 16) }

    /// The label of the queue at `address`.
    func label(of address: UInt?) -> String? { address.flatMap { labels[$0] } }

    /// Whether a queue is Dispatch's own, or the agent's.
    static func isSystem(_ facts: QueueFacts) -> Bool {
        facts.kind == .global || facts.label.hasPrefix("com.apple.libdispatch")
            || facts.label.hasPrefix("com.apple.root.") || facts.label.hasPrefix("telltale.")
    }

    /// More are counted. Twice as many are shown where they have something to do.
    private static let mostShown = 5000

    private static func isAtRest(_ facts: QueueFacts) -> Bool {
        facts.waiting == 0 && facts.suspendCount == 0 && facts.owner == nil
            && facts.widthInUse == 0
    }


    /// Adds what `facts` say to an entry.
    func complete(_ entry: inout QueuesAnswer.Entry, _ facts: QueueFacts) {
        entry.address = Self.hex(facts.address)
        entry.target = label(of: facts.target)
        entry.waiting = facts.waiting
        entry.isMoving = facts.waiting == nil && table.hasItems ? true : nil
        entry.isCut = facts.isCut ? true : nil
        // What was seen for the first time says nothing of how long it has waited.
        let oldest = facts.oldestWait ?? .zero
        entry.oldestSeconds = oldest > .milliseconds(10) ? oldest.seconds : nil
        // A global queue has no state of its own to speak of, and the main thread's is bound to it.
        guard table.hasStates, facts.kind != .global else { return }
        entry.state = Self.state(facts)
        if facts.suspendCount > 0 { entry.suspendCount = facts.suspendCount }
        guard facts.kind != .main else { return }
        entry.width = facts.width
        entry.widthInUse = facts.widthInUse
        entry.thread = facts.owner
    }

    /// An entry for a queue that nobody asked.
    func entry(_ facts: QueueFacts) -> QueuesAnswer.Entry {
        let isPool = facts.label == SwiftPool.label && facts.kind == .concurrent
        var entry = QueuesAnswer.Entry(
            label: facts.label, kind: isPool ? "pool" : facts.kind.rawValue, qos: facts.qos)
        complete(&entry, facts)
        return entry
    }

    private static func state(_ facts: QueueFacts) -> String {
        if facts.isInactive { return "inactive" }
        if facts.suspendCount > 0 { return "suspended" }
        if facts.kind != .main {
            if facts.isInBarrier { return facts.kind == .serial ? "running" : "barrier" }
            if facts.owner != nil || facts.widthInUse > 0 { return "running" }
        }
        return facts.isEnqueued || (facts.waiting ?? 0) > 0 ? "enqueued" : "idle"
    }

    /// All entries: those that were asked, completed, and then the rest.
    ///
    /// - Parameters:
    ///   - asked: What the survey gave.
    ///   - isAll: With those of the system.
    /// - Returns: The entries, and how many were left out.
    func entries(
        asked: [QueuesAnswer.Entry], isAll: Bool
    ) -> (entries: [QueuesAnswer.Entry], hidden: Int, omitted: Int) {
        var entries = asked
        var seen: Set<String> = []
        let facts = Dictionary(
            table.queues.map { (Self.hex($0.address), $0) },
            uniquingKeysWith: { first, _ in first })
        for index in entries.indices {
            guard let address = entries[index].address else { continue }
            seen.insert(address)
            if let known = facts[address] { complete(&entries[index], known) }
        }
        var hidden = 0
        var omitted = 0
        var main: QueuesAnswer.Entry?
        for queue in table.queues where !seen.contains(Self.hex(queue.address)) {
            if Self.isSystem(queue), !isAll {
                hidden += 1
            } else if queue.kind == .main {
                main = entry(queue)
            } else if entries.count >= Self.mostShown, Self.isAtRest(queue) {
                omitted += 1
            } else if entries.count >= Self.mostShown * 2 {
                omitted += 1
            } else {
                entries.append(entry(queue))
            }
        }
        if let main { entries.insert(main, at: 0) }
        return (entries, hidden, omitted)
    }
}
#endif
