#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// Finds pools whose threads are all blocked: work that waits for one of them waits for
    /// everything that blocks those.
    ///
    /// Potential wakers elsewhere give it time and no excuse: a pool that waits for answers from
    /// another machine serves no client meanwhile, and may again in a moment.
    mutating func findExhaustedPools() {
        for node in graph.nodes {
            guard case .pool(let address) = node, let queue = process.queues[address],
                let threads = process.blockedThreads(ofPool: queue)
            else { continue }
            let nodes = threads.map { WaitForGraph.Node.thread($0) }
            // A cycle that contains all of them is named already.
            if nodes.allSatisfy({ members.contains($0) || victims.contains($0) }) { continue }
            let behind = graph.waiting(for: node).filter { isHosts($0) }
            let items = process.hostItems(queue)
            guard items > 0 || !behind.isEmpty,
                let age = standing(queue, threads, behind), isOld(age, thresholds.stuckAfter)
            else { continue }
            let hope = hope(ofPool: threads)
            // A sleep has an end that is known.
            let isAsleep = threads.allSatisfy { process.threads[$0]?.wait == .time }
            let isStuck =
                !isAsleep
                && age >= (hope == nil ? thresholds.stuckAfter : thresholds.stuckAfterInput)
            add(
                StuckAnswer.Finding(
                    .poolExhausted(
                        pool: process.subject(node), threads: threads.count, items: max(items, 1)),
                    isStuck ? .stuck : .waits, seconds: age,
                    parties: process.folded(threads, byPlaceAlone: true), hope: hope),
                [node] + nodes)
        }
    }

    /// See ``Comparison/standing(ofPool:_:waited:)``.
    private func standing(
        _ pool: QueueFacts, _ threads: [Int32], _ behind: Set<WaitForGraph.Node>
    ) -> Double? {
        // For a thread that was only just created, only the kernel's clock tells.
        let rested = threads.map { id in
            (id: id, rested: age(ofThread: id) ?? process.threads[id]?.offCPUFor ?? 0)
        }
        // Everything ahead of it has been seen there for as long.
        let own: [WaitForGraph.Node] =
            process.unmovedQueues.contains(pool.address) ? [.queue(pool.address)] : []
        let waited = (own + behind).map { age(of: $0) }.max() ?? 0
        return process.standing(
            ofPool: pool, rested, waited: max(waited, pool.oldestWait?.inSeconds ?? 0))
    }

    /// Returns the potential waker of one of the threads; `nil` for none.
    private mutating func hope(ofPool threads: [Int32]) -> StuckAnswer.Hope? {
        var asked: Set<WaitForGraph.Node> = []
        for id in threads {
            guard let thread = process.threads[id] else { continue }
            guard let awaited = thread.wait.awaited else { return .itself }
            guard awaited.target != nil, asked.insert(awaited).inserted else { continue }
            if let hope = prospect(of: awaited).hope { return hope }
        }
        return nil
    }
}
#endif
