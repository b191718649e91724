#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension StuckFinder {
    /// What was found, as `stuck` answers it.
    ///
    /// - Parameters:
    ///   - looks: How many times was looked.
    ///   - took: How long it took altogether.
    ///   - ago: What time it was so many seconds ago, as dates are written; nil leaves dates out.
    /// - Returns: The answer.
    func answer(
        looks: Int, took: Duration, ago: (Double) -> String? = { _ in nil }
    ) -> StuckAnswer {
        let hasCycle = findings.contains { $0.kind == "deadlock" }
        // What was not looked at may be just what doesn't move.
        let isCut = state.before.isCut || state.after.isCut
        let verdict: StuckAnswer.Verdict =
            hasCycle
            ? .deadlock : !findings.isEmpty ? .blocked : isCut ? .unknown : .healthy
        let dated = findings.map { finding in
            var finding = finding
            finding.since = finding.seconds.flatMap(ago)
            return finding
        }
        return StuckAnswer(
            verdict: verdict, findings: dated, blocked: findings.isEmpty ? [] : blocked,
            isMainBlocked: findings.isEmpty ? nil : isMainBlocked,
            notIt: notIt + suspendedWithoutItems, next: findings.isEmpty ? [] : next,
            looks: looks, milliseconds: took.microseconds / 1000,
            threads: state.after.threads.filter { !$0.isAgent }.count,
            queues: state.queues.values.filter { $0.kind != .global }.count,
            tasks: state.after.tasks.isEmpty ? nil : state.after.tasks.count,
            notes: state.after.notes(on: .all))
    }

    // MARK: What waits because of it

    private var blocked: [StuckAnswer.Blocked] {
        var items = 0
        var threads = 0
        var tasks = 0
        var operations = 0
        var counted: Set<UInt> = []
        for node in victims.union(parties) {
            switch node {
            case .queue(let address), .pool(let address):
                guard let queue = state.queues[address], counted.insert(address).inserted else {
                    continue
                }
                // A thread in `sync` is counted as a thread.
                let waiters = queue.items.filter { $0.waiter != nil && !state.isAgents($0) }
                // What waits for a root queue's thread is mostly a queue, whose items are counted.
                let lent = queue.items.contains { $0.kind != .queue && $0.kind != .source }
                if queue.kind != .global || lent {
                    items += max(0, state.hostItems(queue) - waiters.count)
                }
            case .thread(let id):
                let isAgent = state.threads[id]?.isAgent ?? true
                if !parties.contains(node), !isAgent { threads += 1 }
            case .task(let address):
                // One that a thread of the finding runs stands there already.
                let runner = state.after.threads.first { $0.task == address }
                let isParty = runner.map { parties.contains(.thread($0.id)) } ?? false
                if !parties.contains(node), !isParty { tasks += 1 }
            case .operation: if !parties.contains(node) { operations += 1 }
            case .actor, .lock, .semaphore, .group, .condition: break
            }
        }
        let counts = [
            ("item", items), ("thread", threads), ("task", tasks), ("operation", operations),
        ]
        return counts.filter { $0.1 > 0 }.map {
            StuckAnswer.Blocked(what: $0.1 == 1 ? $0.0 : $0.0 + "s", count: $0.1)
        }
    }

    private var isMainBlocked: Bool {
        let all = victims.union(parties)
        if all.contains(where: { node in
            if case .thread(let id) = node { return state.threads[id]?.isMain == true }
            return false
        }) {
            return true
        }
        // Where `dispatchMain` runs the main queue has no thread of its own.
        return all.contains { node in
            if case .queue(let address) = node { return state.queues[address]?.kind == .main }
            return false
        }
    }

    // MARK: What looks like it and isn't

    private var suspendedWithoutItems: [String] {
        state.after.queues.filter {
            $0.suspendCount > 0 && !$0.isInactive && state.hostItems($0) == 0
        }.prefix(3).map {
            "\(words.queue($0.address)) is suspended (the host called suspend), and nothing waits "
                + "for it"
        }
    }

    // MARK: What to do next

    private var next: [String] {
        var threads: [Int32] = []
        var queues: [String] = []
        var kinds: Set<String> = []
        for finding in findings {
            for party in finding.parties {
                kinds.insert(party.kind)
                if let id = party.thread, !threads.contains(id) { threads.append(id) }
                if party.kind == "queue", !queues.contains(party.name) {
                    queues.append(party.name)
                }
                // What stands on a root queue says nothing of this.
                if party.kind == "thread", let on = party.on, !on.hasPrefix("task "),
                    !on.hasPrefix("com.apple.root."), !queues.contains(on)
                {
                    queues.append(on)
                }
            }
        }
        var next: [String] = []
        if !threads.isEmpty {
            next.append("stack " + threads.prefix(4).map(String.init).joined(separator: " "))
        }
        if let queue = queues.first { next.append("queue \(queue)") }
        if kinds.contains("task") || kinds.contains("actor") { next.append("tasks") }
        if kinds.contains("operation") { next.append("operations") }
        return next + ["dump -o FILE"]
    }
}
#endif
