#if TELLTALE_AGENT
import TelltaleProtocol

/// Threads that others wait for and that wait for nobody in the process.
extension StuckFinder {
    // A thread that others wait for and that waits for nobody in the process: it computes, or waits
    // for input, output or a time. It goes on by itself, so that only patience tells.
    mutating func findSlow(_ id: Int32) {
        guard let thread = state.threads[id], (state.graph.edges[.thread(id)] ?? []).isEmpty
        else { return }
        let behind = upstream(of: .thread(id))
        guard behind.contains(where: { isHosts($0) }), !thread.isAgent else { return }
        let isWaiting: Bool
        switch thread.wait {
        case .event, .time: isWaiting = true
        case .unknown: isWaiting = state.stillThreads.contains(id)
        default: isWaiting = false
        }
        let age = self.age(of: .thread(id)) ?? 0
        guard isWaiting, stays(id) else { return noteBusy(id, behind) }
        // A main thread that others hold up serves nobody, and readers that a barrier waits for
        // hold up whoever comes after it.
        let limit = isUrgent(behind) ? patience.wait : patience.slow
        guard max(age, state.window) >= limit else { return noteBusy(id, behind) }
        add(
            StuckAnswer.Finding(
                kind: "queue", title: title(of: id, count: 1), seconds: max(age, state.window),
                parties: [words.party(thread: id)] + queueParties(behind),
                note: "it goes on by itself when that comes"), [.thread(id)])
    }

    // The same wait, in the same function of the host's, in the same queue: not the next item's.
    private func stays(_ id: Int32) -> Bool {
        guard let now = state.threads[id],
            let was = state.before.threads.first(where: { $0.id == id })
        else { return false }
        return was.held == now.held
            && StuckWords.hostFrame(was.stack)?.function
                == StuckWords.hostFrame(now.stack)?.function
    }

    private func isUrgent(_ nodes: Set<WaitNode>) -> Bool {
        nodes.contains { node in
            switch node {
            case .thread(let id): return state.threads[id]?.isMain == true
            case .queue(let address):
                guard let queue = state.queues[address], queue.kind == .concurrent else {
                    return false
                }
                return queue.hasPendingBarrier || queue.items.contains { $0.isBarrier }
            default: return false
            }
        }
    }

    private mutating func noteBusy(_ id: Int32, _ behind: Set<WaitNode>) {
        guard notIt.count < 8, let thread = state.threads[id], thread.wait != .idle else {
            return
        }
        let host = StuckWords.hostFrame(thread.stack)
        notIt.append(
            "\(words.place(ofThread: id)) is busy: thread \(id) "
                + "\(words.relation(of: thread))"
                + (host.map { " in \(Self.spot($0))" } ?? ""))
    }
}
#endif
