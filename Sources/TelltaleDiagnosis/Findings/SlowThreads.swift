#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// A thread that others wait for and that waits for nobody in the process: it computes, or waits
    /// for input, output or a time. It goes on by itself, so that only its age tells.
    mutating func findSlowThread(_ id: Int32) {
        guard let thread = process.threads[id], graph.awaited(by: .thread(id)).isEmpty,
            !thread.isAgent
        else { return }
        let behind = graph.waiting(for: .thread(id))
        guard behind.contains(where: { isHosts($0) }) else { return }
        let isWaiting =
            switch thread.wait {
            case .event, .eventLoop, .time: true
            case .unknown: process.unmovedThreads.contains(id)
            default: false
            }
        let age = max(self.age(ofThread: id) ?? 0, process.window)
        let threshold = isUrgent(behind) ? thresholds.blocked : thresholds.slow
        guard isWaiting, isStillThere(id), age >= threshold else {
            if thread.wait != .idle { add(StuckAnswer.Remark(process.brief(thread: id), .busy)) }
            return
        }
        add(
            StuckAnswer.Finding(
                .slow, seconds: age,
                parties: [process.party(thread: id)] + process.longestQueues(behind), hope: .itself),
            [.thread(id)])
    }

    // The same function of the host's, in the same queue: not the next item's.
    private func isStillThere(_ id: Int32) -> Bool {
        guard let now = process.threads[id],
            let was = process.earlier.threads.first(where: { $0.id == id })
        else { return false }
        return was.held == now.held && was.hostFrame?.function == now.hostFrame?.function
    }

    // A main thread that others hold up serves nobody, and readers that a barrier waits for hold up
    // whoever comes after it.
    private func isUrgent(_ nodes: Set<WaitForGraph.Node>) -> Bool {
        nodes.contains { node in
            switch node {
            case .thread(let id): process.threads[id]?.isMain == true
            case .queue(let address): process.queues[address]?.isHeldByBarrier == true
            default: false
            }
        }
    }
}
#endif
