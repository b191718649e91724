#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// What of libdispatch's memory can be read in this process.
///
/// The offsets stand in `dispatch.c`; ``DispatchSelfTest`` tries them on objects of our own in known
/// states. A part that did not hold is off, with the reason.
struct DispatchLayout: Sendable {
    /// Something that is tried by itself.
    enum Part: String, CaseIterable, Sendable {
        case queues, states, items, blocks
        case workItems = "work items"
        case syncWaiters = "threads in sync"
        case qualityOfService = "quality of service"
        case groups, semaphores, timers
    }

    /// What an object is, by its first word.
    enum Kind: Sendable, Hashable {
        case serial, concurrent, main, global, group, semaphore, source
    }

    /// The first words of objects.
    var kinds: [UInt: Kind] = [:]
    /// Why a part is off.
    var failures: [Part: String] = [:]
    /// What failed may hold at another time: there was no thread to be had, or Dispatch was held.
    var isWorthRetrying = false

    /// Whether `part` can be believed.
    func has(_ part: Part) -> Bool { failures[part] == nil }

    /// A sentence for each part that is off.
    var notes: [String] {
        var byReason: [(reason: String, parts: [String])] = []
        for part in Part.allCases {
            guard let reason = failures[part] else { continue }
            if let at = byReason.firstIndex(where: { $0.reason == reason }) {
                byReason[at].parts.append(part.rawValue)
            } else {
                byReason.append((reason, [part.rawValue]))
            }
        }
        return byReason.map {
            "not available: \($0.parts.joined(separator: ", ")) (\($0.reason))"
        }
    }

    /// The first words of the objects of `kinds`.
    func words(of kinds: Set<Kind>) -> [UInt] {
        self.kinds.compactMap { kinds.contains($0.value) ? $0.key : nil }
    }

    /// Nothing is known.
    static func none(_ reason: String, isWorthRetrying: Bool = false) -> DispatchLayout {
        var layout = DispatchLayout()
        for part in Part.allCases { layout.failures[part] = reason }
        layout.isWorthRetrying = isWorthRetrying
        return layout
    }

    /// Has it tried, unless it has been or is being; waits for nothing.
    static func begin() { SharedState.current.dispatch.begin() }

    /// The layout, waiting for the trial until `deadline`.
    static func known(by deadline: MonotonicTime) -> DispatchLayout {
        SharedState.current.dispatch.layout(by: deadline)
    }
}
#endif
