#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// So many cycles are counted; a service whose every request ends in one has thousands.
    private static let mostCycles = 1000

    /// A cycle in the wait-for graph is a deadlock, whatever its members are: locks, queues, tasks,
    /// operations. Every member waits for itself in the end, which no time cures.
    mutating func findDeadlocks() {
        var shapes: [[String]: Int] = [:]
        for cycle in graph.cycles(limit: Self.mostCycles, distinct: Self.mostFindings) {
            let cycle = turned(cycle)
            let ages = cycle.compactMap { node -> Double? in
                if case .thread(let id) = node { age(ofThread: id) } else { nil }
            }
            let others = cycle.compactMap { node -> Double? in
                switch node {
                case .task, .operation: age(of: node)
                default: nil
                }
            }
            let least = (ages + others).min() ?? process.window
            // Only a search of the memory can tell the potential wakers, and it may miss a thread
            // that has the object in a register for a moment.
            guard
                (ages.max() ?? least) >= thresholds.stuckAfter
                    || !cycle.contains(where: \.isHeldByNobody)
            else {
                continue
            }
            let shape = process.shape(ofCycle: cycle)
            if let index = shape.flatMap({ shapes[$0] }) {
                countAgain(index, cycle, seconds: least)
                continue
            }
            if let shape, findings.count < Self.mostFindings { shapes[shape] = findings.count }
            add(
                StuckAnswer.Finding(
                    .cycle(of: cycle.map { process.subject($0) }),
                    seconds: least,
                    parties: cycle.compactMap { party(of: $0) }), cycle)
        }
    }

    // A thread first, the main thread before others: a person begins to read there. Then by the
    // name of their work, so that the same deadlock reads the same in every run.
    func turned(_ cycle: [WaitForGraph.Node]) -> [WaitForGraph.Node] {
        let threads = cycle.indices.compactMap { index -> (index: Int, name: String)? in
            guard case .thread(let id) = cycle[index] else { return nil }
            let isMain = process.threads[id]?.isMain == true
            return (index, isMain ? "" : process.subject(cycle[index]).name)
        }
        let start = threads.min { $0.name < $1.name }?.index ?? 0
        return Array(cycle[start...] + cycle[..<start])
    }

    // The members of a cycle that wait themselves; queues and locks appear as the objects the
    // others wait for.
    func party(of node: WaitForGraph.Node) -> StuckAnswer.Party? {
        switch node {
        case .thread(let id): process.party(thread: id)
        case .task(let address): process.party(task: address)
        case .operation(let address): process.party(operation: address)
        case .actor(let address): process.party(actor: address)
        case .queue, .lock, .semaphore, .group, .condition, .pool: nil
        }
    }
}

extension WaitForGraph.Node {
    /// Indicates an object whose own memory doesn't tell an owner.
    fileprivate var isHeldByNobody: Bool {
        switch self {
        case .semaphore, .group, .condition: true
        default: false
        }
    }
}
#endif
