#if TELLTALE_AGENT
import TelltaleProtocol

/// Pools whose threads are all blocked: what waits for one of them waits for whatever blocks those.
extension StuckFinder {
    mutating func findPools() {
        for node in state.graph.edges.keys.sorted(by: WaitNode.isBefore) {
            guard case .pool(let address) = node, let queue = state.queues[address],
                let threads = state.blockedThreads(ofPool: queue)
            else { continue }
            let nodes = threads.map { WaitNode.thread($0) }
            // One cycle that holds all of them is named already.
            if nodes.allSatisfy({ parties.contains($0) || victims.contains($0) }) { continue }
            let age = nodes.compactMap { self.age(of: $0) }.min() ?? 0
            let waiting = upstream(of: node).filter { isHosts($0) }
            guard age >= patience.wait, state.hostItems(queue) > 0 || !waiting.isEmpty else {
                continue
            }
            let items = max(state.hostItems(queue), 1)
            let count = threads.count
            add(
                StuckAnswer.Finding(
                    kind: "pool",
                    title: "\(words.queue(address)): "
                        + (count == 1
                            ? "its only thread is blocked" : "all \(count) threads are blocked")
                        + ", \(items) \(items == 1 ? "item waits" : "items wait")",
                    seconds: age, parties: folded(threads, byPlaceAlone: true),
                    note: "no thread is left for what waits until one of these goes on"),
                [node] + nodes)
        }
    }
}
#endif
