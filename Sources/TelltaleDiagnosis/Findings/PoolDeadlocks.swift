#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// The nodes that a node waits for: it needs all of them, or any one.
    private struct Need {
        var nodes: [WaitForGraph.Node]
        var isAny = false
    }

    /// The maximum number of nodes that are followed from one pool.
    private static let mostFollowed = 2000

    /// Finds cycles through a pool with a fixed number of threads, each of which waits in the end for work in the
    /// pool's own line.
    ///
    /// Any thread of a pool would do for its work, and any object that leads to a semaphore may be used to signal it.
    /// Such a node is deadlocked only if all that could continue it are.
    mutating func findPoolDeadlocks() {
        for queue in process.later.queues where queue.isPool && queue.kind != .global {
            let pool = WaitForGraph.Node.pool(queue.address)
            guard let threads = process.blockedThreads(ofPool: queue),
                threads.count >= queue.width,
                !threads.allSatisfy({ members.contains(.thread($0)) })
            else { continue }
            let knot = knot(around: pool)
            guard let cycle = knot.cycle(through: pool) else { continue }
            let ages = threads.compactMap { age(ofThread: $0) }
            // The objects without an owner were searched for, which takes its time.
            guard ages.count == threads.count, let age = ages.min(),
                isOld(age, thresholds.stuckAfter)
            else { continue }
            let turned = turned(cycle)
            let nodes = threads.map { WaitForGraph.Node.thread($0) }
            add(
                StuckAnswer.Finding(
                    .cycle(of: turned.map { process.subject($0) }), seconds: age,
                    parties: parties(of: turned, poolThreads: threads)), turned + nodes)
        }
    }

    /// The parties of a cycle; the threads of the pool at one place are one.
    private func parties(
        of cycle: [WaitForGraph.Node], poolThreads: [Int32]
    ) -> [StuckAnswer.Party] {
        cycle.compactMap { node in
            guard case .thread(let id) = node, poolThreads.contains(id) else {
                return party(of: node)
            }
            return process.folded([id] + poolThreads.filter { $0 != id }, byPlaceAlone: true).first
        }
    }

    /// Returns the nodes that can't continue before the others have, as far as a node leads to them.
    private func knot(around start: WaitForGraph.Node) -> WaitForGraph {
        var needs: [WaitForGraph.Node: Need] = [:]
        var rest = [start]
        while let node = rest.popLast(), needs.count < Self.mostFollowed {
            guard needs[node] == nil, let need = need(of: node) else { continue }
            needs[node] = need
            rest += need.nodes
        }
        var hasChanged = true
        while hasChanged {
            let free = needs.filter { node, need in
                need.isAny
                    ? need.nodes.isEmpty || need.nodes.contains { needs[$0] == nil }
                    : !need.nodes.contains { needs[$0] != nil }
            }
            for node in free.keys { needs[node] = nil }
            hasChanged = !free.isEmpty
        }
        var knot = WaitForGraph()
        for (node, need) in needs {
            for other in need.nodes where needs[other] != nil { knot.add(node, waitsFor: other) }
        }
        return knot
    }

    /// Returns what a node needs to continue; `nil` if it may continue by something else.
    private func need(of node: WaitForGraph.Node) -> Need? {
        switch node {
        case .pool(let address):
            guard let queue = process.queues[address], queue.kind != .global,
                let threads = process.blockedThreads(ofPool: queue),
                threads.count >= queue.width,
                threads.allSatisfy({ process.unmovedThreads.contains($0) })
            else { return nil }
            return Need(nodes: threads.map { .thread($0) }, isAny: true)
        case .semaphore, .group, .condition: return wakers(of: node)
        case .task(let address):
            switch process.tasks[address]?.waitsFor {
            case .continuation?: return wakers(of: node)
            // A job of no actor is in the line of the pool.
            case .executor(0)?:
                guard process.unmovedTasks.contains(address) else { return nil }
                return process.later.swiftPool.map { Need(nodes: [.pool($0)]) }
            default: return Need(nodes: graph.awaited(by: node))
            }
        case .thread, .queue, .lock, .actor, .operation:
            return Need(nodes: graph.awaited(by: node))
        }
    }

    /// Returns all that could end a wait for an object without an owner; `nil` if not all is known.
    private func wakers(of node: WaitForGraph.Node) -> Need? {
        guard let target = node.target, let holders = process.later.holders[target],
            holders.isWhole
        else { return nil }
        var need = Need(nodes: [], isAny: true)
        for root in holders.roots {
            switch root {
            case .thread(let id):
                guard let thread = process.threads[id] else { return nil }
                if thread.wait != .idle || thread.isInSignalWait { need.nodes.append(.thread(id)) }
            case .task(let address): need.nodes.append(.task(address))
            case .item(let queue): need.nodes.append(.queue(queue))
            case .timer(let address) where process.timers[address]?.isCancelled == true: break
            case .timer, .source, .global, .object, .event: return nil
            }
        }
        return need
    }
}
#endif
