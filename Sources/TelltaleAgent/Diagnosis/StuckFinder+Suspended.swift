#if TELLTALE_AGENT
import TelltaleProtocol

/// What goes on only when somebody says so: suspended queues, suspended tasks and operations that nobody
/// ends.
extension StuckFinder {
    mutating func findSuspended(_ address: UInt) {
        guard let queue = state.queues[address], queue.suspendCount > 0 || queue.isInactive
        else { return }
        guard state.hostItems(queue) > 0, state.window >= patience.wait else { return }
        let items = state.hostItems(queue)
        let held =
            queue.isInactive
            ? "was never activated" : "is suspended\(times(queue.suspendCount))"
        add(
            StuckAnswer.Finding(
                kind: "suspended",
                title: "queue \(words.queue(address)) \(held), "
                    + "\(items) \(items == 1 ? "item waits" : "items wait")",
                seconds: state.window, parties: [words.party(queue: address)],
                note: suspension(of: queue)), [.queue(address)])
    }

    private func suspension(of queue: QueueFacts) -> String {
        if queue.isInactive { return "nothing runs on it until the host calls activate()" }
        if state.after.heldByClients.contains(queue.address) {
            return "a client's `suspend` holds it, until `resume` in its session or its end"
        }
        return "the host called suspend(); nothing runs on it until the host calls resume()"
            + (queue.suspendCount > 1 ? " as often" : "")
    }

    private func times(_ count: Int) -> String { count > 1 ? " \(count) times" : "" }

    // A suspended task that waits for somebody to resume its continuation: a server's task waits so
    // for years. Only where nothing in the process could do it, it is known that nobody will.
    mutating func findSuspendedTask(_ address: UInt) {
        guard let task = state.tasks[address], task.waitsFor == .continuation,
            state.stillTasks.contains(address), state.window >= patience.wait
        else { return }
        // A server has thousands of them; what a look costs must not grow with each one's names.
        guard hope == nil, findings.count < Self.limit, weighedTasks < Self.mostTasks else {
            return
        }
        weighedTasks += 1
        let party = words.party(task: address)
        let behind = upstream(of: .task(address))
        guard party.on != nil || !behind.isEmpty, party.function != nil else { return }
        let place = party.on.map { "\($0): " } ?? ""
        add(
            StuckAnswer.Finding(
                kind: party.on == nil ? "task" : "actor",
                title: "\(place)\(party.name) waits for a continuation that nobody resumes",
                seconds: state.window,
                parties: [party] + taskParties(behind),
                note:
                    "nothing runs, no timeout is set and no answer is awaited that could resume it"
            ),
            [.task(address)])
    }

    private func taskParties(_ nodes: Set<WaitNode>) -> [StuckAnswer.Party] {
        nodes.sorted(by: WaitNode.isBefore).compactMap { node -> StuckAnswer.Party? in
            if case .task(let address) = node { return words.party(task: address) }
            return nil
        }.prefix(3).map { $0 }
    }

    mutating func findOperation(_ address: UInt) {
        guard let operation = state.operations[address], operation.state != .finished,
            (state.graph.edges[.operation(address)] ?? []).isEmpty,
            state.window >= patience.wait
        else { return }
        let behind = upstream(of: .operation(address)).filter { isHosts($0) }
        guard !behind.isEmpty || operation.isQueueSuspended else { return }
        let isLeft: Bool
        switch operation.state {
        case .executing: isLeft = hope == nil
        case .waiting, .ready, .finished:
            isLeft = operation.queue == nil || operation.isQueueSuspended
        }
        guard isLeft else { return }
        let waiting = behind.sorted(by: WaitNode.isBefore).reversed().compactMap {
            node -> StuckAnswer.Party? in
            switch node {
            case .operation(let other): return words.party(operation: other)
            case .thread(let id): return words.party(thread: id)
            default: return nil
            }
        }
        var title = "\(words.operation(address)) never finishes"
        if let first = waiting.first(where: { $0.kind == "operation" }) {
            title += "; \(first.name) waits for it"
        }
        add(
            StuckAnswer.Finding(
                kind: "operation", title: title, seconds: state.window,
                parties: [words.party(operation: address)] + waiting.prefix(3),
                note: operation.state == .executing
                    ? "it executes, and no thread is in it: its finished state was never set"
                    : nil), [.operation(address)])
    }
}
#endif
