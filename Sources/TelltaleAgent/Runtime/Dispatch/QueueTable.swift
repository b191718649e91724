#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleSystem

/// One look at Dispatch's objects: queues, groups, semaphores, timers, registered or not.
struct QueueTable: Sendable {
    /// What is looked for.
    struct Wanted: OptionSet, Sendable {
        let rawValue: Int

        static let queues = Wanted(rawValue: 1)
        static let groups = Wanted(rawValue: 2)
        static let semaphores = Wanted(rawValue: 4)
        static let timers = Wanted(rawValue: 8)
        static let all: Wanted = [.queues, .groups, .semaphores, .timers]
    }

    var queues: [QueueFacts] = []
    var groups: [GroupFacts] = []
    var semaphores: [SemaphoreFacts] = []
    var timers: [TimerFacts] = []
    /// Whether what waits, and what a queue does, could be read.
    var hasItems = false
    var hasStates = false
    /// What is not there, and why; a sentence each.
    var notes: [String] = []

    /// Looks at all of the process's objects.
    ///
    /// - Parameters:
    ///   - wanted: What is looked for.
    ///   - known: Addresses of queues that are held by the caller (see ``QueueKind/inner(_:)``).
    ///   - isSearching: Whether the memory is searched for more; without, the known ones, the
    ///     main queue and the global ones are all.
    ///   - items: How many waiting items of each queue are described.
    ///   - deadline: What is not had by then is left out, and said.
    /// - Returns: What there is.
    static func look(
        for wanted: Wanted = .queues, known: [UInt] = [], isSearching: Bool = true,
        items: Int = 16, deadline: MonotonicTime
    ) -> QueueTable {
        let layout = DispatchLayout.known(by: deadline)
        var table = QueueTable()
        table.notes = layout.notes
        guard layout.has(.queues) else { return table }
        table.hasItems = layout.has(.items)
        table.hasStates = layout.has(.states)
        let reader = DispatchReader(layout: layout, deadline: deadline)
        var found: [UInt: [UInt]] = [:]
        if isSearching {
            let result = MemoryScan.find(
                words: layout.words(of: kinds(of: wanted)), deadline: deadline)
            if let cut = result.cut {
                table.notes.append("not all may have been found: \(cut.reason)")
            }
            for hit in result.hits { found[hit.word, default: []].append(hit.address) }
        }
        func addresses(_ kinds: Set<DispatchLayout.Kind>) -> [UInt] {
            layout.words(of: kinds).flatMap { found[$0] ?? [] }
        }
        if wanted.contains(.queues) {
            let first = [ctelltale_dispatch_main_queue()] + known
            let addresses =
                first + addresses([.serial, .concurrent]).sorted()
                + DispatchReader.globalQueues
            var seen: Set<UInt> = []
            for address in addresses where seen.insert(address).inserted {
                guard .now < deadline else {
                    table.notes.append("the deadline came before all queues had been read")
                    break
                }
                if let facts = reader.queue(at: address, items: items) {
                    table.queues.append(facts)
                }
            }
        }
        if wanted.contains(.groups) {
            table.groups = table.read(
                "groups", addresses([.group]), until: deadline, reader.group)
        }
        if wanted.contains(.semaphores) {
            table.semaphores = table.read(
                "semaphores", addresses([.semaphore]), until: deadline, reader.semaphore)
        }
        if wanted.contains(.timers) {
            table.timers = table.read(
                "timers", addresses([.source]), until: deadline, reader.timer)
        }
        return table
    }

    /// What `read` makes of each address; what is not read by the deadline is left out, and said.
    mutating func read<Facts>(
        _ what: String, _ addresses: [UInt], until deadline: MonotonicTime,
        _ read: (UInt) -> Facts?
    ) -> [Facts] {
        var found: [Facts] = []
        for address in addresses {
            guard .now < deadline else {
                notes.append("the deadline came before all \(what) had been read")
                break
            }
            if let facts = read(address) { found.append(facts) }
        }
        return found
    }

    private static func kinds(of wanted: Wanted) -> Set<DispatchLayout.Kind> {
        var kinds: Set<DispatchLayout.Kind> = []
        if wanted.contains(.queues) { kinds.formUnion([.serial, .concurrent]) }
        if wanted.contains(.groups) { kinds.insert(.group) }
        if wanted.contains(.semaphores) { kinds.insert(.semaphore) }
        if wanted.contains(.timers) { kinds.insert(.source) }
        return kinds
    }
}
#endif
