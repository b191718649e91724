#if TELLTALE_AGENT
import TelltaleProtocol

extension Diagnosis {
    /// Pools whose threads are all blocked: what waits for one of them waits for whatever blocks those.
    mutating func findExhaustedPools() {
        for node in graph.nodes {
            guard case .pool(let address) = node, let queue = process.queues[address],
                let threads = process.blockedThreads(ofPool: queue)
            else { continue }
            let nodes = threads.map { WaitForGraph.Node.thread($0) }
            // One cycle that holds all of them is named already.
            if nodes.allSatisfy({ members.contains($0) || victims.contains($0) }) { continue }
            let age = threads.compactMap { self.age(ofThread: $0) }.min() ?? 0
            let items = process.hostItems(queue)
            guard age >= thresholds.blocked,
                items > 0 || graph.waiting(for: node).contains(where: { isHosts($0) })
            else { continue }
            add(
                StuckAnswer.Finding(
                    .poolExhausted(
                        pool: process.subject(node), threads: threads.count, items: max(items, 1)),
                    seconds: age, parties: process.folded(threads, byPlaceAlone: true)),
                [node] + nodes)
        }
    }
}
#endif
