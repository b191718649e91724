#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// Finds a thread that others wait for and that waits for no party in the process: it computes,
    /// or waits for input, output or a time. It continues by itself, so only its age counts, and
    /// whether it serves others; a sleep has a known end.
    mutating func findSlowThread(_ id: Int32) {
        guard let thread = process.threads[id], graph.awaited(by: .thread(id)).isEmpty,
            !thread.isAgent
        else { return }
        let behind = graph.waiting(for: .thread(id), throughPools: false)
        guard thread.isInExit || behind.contains(where: { isHosts($0) && !hasOnlyJoined($0) })
        else { return }
        let isWaiting =
            switch thread.wait {
            case .event, .eventLoop, .time: true
            case .unknown: process.unmovedThreads.contains(id)
            default: false
            }
        let age = max(self.age(ofThread: id) ?? 0, process.window)
        guard isWaiting, isStillThere(id), isOld(age, thresholds.stuckAfterInput) else {
            if thread.wait != .idle { add(StuckAnswer.Remark(process.brief(thread: id), .busy)) }
            return
        }
        let isStuck = thread.wait != .time && haveServer(behind.union([.thread(id)]))
        add(
            StuckAnswer.Finding(
                .slow, isStuck ? .stuck : .waits, seconds: age,
                parties: [process.party(thread: id)] + waitersForLocks(of: id, behind)
                    + process.longestQueues(behind), hope: .itself),
            [.thread(id)])
    }

    /// The threads that wait for a lock which a thread holds.
    private func waitersForLocks(
        of holder: Int32, _ behind: Set<WaitForGraph.Node>
    ) -> [StuckAnswer.Party] {
        let waiters = behind.compactMap { node -> Int32? in
            guard case .thread(let id) = node, isHosts(node),
                case .lock(_, holder, _) = process.threads[id]?.wait
            else { return nil }
            return id
        }
        return process.folded(waiters.sorted())
    }

    /// Returns whether it is a thread whose only purpose is to outlive another, such as the main
    /// thread of a server that has started a thread which accepts connections.
    private func hasOnlyJoined(_ node: WaitForGraph.Node) -> Bool {
        guard case .thread(let id) = node, let thread = process.threads[id],
            case .thread = thread.wait, thread.task == nil, !thread.isInMainItem,
            thread.held.allSatisfy({ process.queues[$0]?.kind == .main })
        else { return false }
        return !thread.isMain
            || !process.later.queues.contains {
                $0.kind == .main && process.hostItems($0) > 0
            }
    }

    // The same function of the host's, in the same queue: not the next item's.
    private func isStillThere(_ id: Int32) -> Bool {
        guard let now = process.threads[id],
            let was = process.earlier.threads.first(where: { $0.id == id })
        else { return false }
        return was.held == now.held && was.hostFrame?.function == now.hostFrame?.function
    }
}

extension ThreadFacts {
    /// Indicates that it ends the process: the C library's function calls the handlers of `atexit` and the
    /// destructors of images one after another.
    var isInExit: Bool { stack.contains { $0.symbol == "__run_exit_handlers" } }
}
#endif
