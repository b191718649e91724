#if TELLTALE_AGENT
import TelltaleProtocol

/// Cycles: whatever stands in one waits for itself in the end, which no patience cures.
extension StuckFinder {
    mutating func findCycles() {
        for cycle in state.graph.cycles(limit: Self.limit) {
            var cycle = cycle
            if let start = start(of: cycle) { cycle = Array(cycle[start...] + cycle[..<start]) }
            var names: [String] = []
            for node in cycle {
                let name = words.title(node)
                if names.last != name { names.append(name) }
            }
            if let first = names.first, names.count == 1 || names.last != first {
                names.append(first)
            }
            let ages = cycle.compactMap { age(of: $0) }
            add(
                StuckAnswer.Finding(
                    kind: "deadlock", title: names.joined(separator: " -> "),
                    seconds: ages.min() ?? state.window,
                    parties: cycle.compactMap { waiter($0) }), cycle)
        }
    }

    // A thread first, the main thread before others: that is where a person begins to read. Then by
    // the name of what they work for, so that the same deadlock reads the same in every run.
    private func start(of cycle: [WaitNode]) -> Int? {
        let threads = cycle.indices.compactMap { index -> (index: Int, name: String)? in
            guard case .thread(let id) = cycle[index] else { return nil }
            let isMain = state.threads[id]?.isMain == true
            return (index, isMain ? "" : words.place(ofThread: id))
        }
        return threads.min { $0.name < $1.name }?.index
    }

    // Those of a cycle that wait themselves; queues and locks stand in what the others wait for.
    private func waiter(_ node: WaitNode) -> StuckAnswer.Party? {
        switch node {
        case .thread(let id): words.party(thread: id)
        case .task(let address): words.party(task: address)
        case .operation(let address): words.party(operation: address)
        case .actor(let address): words.party(actor: address)
        case .queue, .lock, .semaphore, .group, .condition, .pool: nil
        }
    }
}
#endif
