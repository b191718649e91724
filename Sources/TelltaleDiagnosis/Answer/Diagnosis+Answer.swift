#if TELLTALE_AGENT
import TelltalePicture
package import TelltaleProtocol

extension Diagnosis {
    /// The findings, as `stuck` answers them.
    package func answer(captures: Int, took: Duration) -> StuckAnswer {
        // Parts that were not captured may be exactly those that don't move.
        let isCut = process.earlier.isCut || process.later.isCut
        let verdict: StuckAnswer.Verdict =
            findings.contains(where: \.isDeadlock)
            ? .deadlock
            : !findings.isEmpty
                ? .blocked
                : isCut
                    ? .unknown : !waits.isEmpty ? .waiting : wasCutShort ? .unknown : .healthy
        var answer = StuckAnswer(
            verdict: verdict, findings: (findings + waits).map { dated($0) }, captures: captures,
            milliseconds: Int(took.inSeconds * 1000), notes: process.later.notes(on: .all))
        if process.later.operations.contains(where: { $0.queue == PlacedOperation.unobservedQueue }
        ),
            (findings + waits).contains(where: { finding in
                finding.parties.contains { $0.subject.kind == .operation }
            })
        {
            answer.notes.append(
                "the operations of a queue are listed once the service calls Telltale.observe(queue)"
            )
        }
        if isShort { answer.notes.append("there was no time to see whether what is young lasts") }
        answer.notIt = remarks + idleSuspensions
        if !findings.isEmpty { answer.blocked = blocked }
        if !findings.isEmpty || !waits.isEmpty { answer.next = next }
        answer.longest = longest.map { dated($0) }
        if unjudged.count > 0 {
            answer.unjudged = .init(
                fromSeconds: thresholds.stuckAfterInput, count: unjudged.count,
                first: unjudged.longest.map { dated($0) })
        }
        let busy = self.busy
        answer.busy = busy.threads.isEmpty ? nil : busy.threads
        answer.busyOmitted = busy.omitted > 0 ? busy.omitted : nil
        answer.threads = process.later.threads.count { !$0.isAgent }
        answer.queues = process.queues.values.count { $0.kind != .global }
        answer.tasks = process.later.tasks.isEmpty ? nil : process.later.tasks.count
        return answer
    }

    // A possible finding was not searched for to the end, or had no time to become one.
    private var wasCutShort: Bool { isShort || process.later.isSearchLate }

    private func dated(_ finding: StuckAnswer.Finding) -> StuckAnswer.Finding {
        var finding = finding
        let ago = UInt64(max(0, min(finding.seconds ?? 0, 1e9)) * 1e9)
        let now = process.later.date
        if ago > 0, now > ago { finding.since = Quantity.moment(nanoseconds: now - ago) }
        if finding.evidence == .notResumed {
            finding.callers = finding.parties.first.flatMap { process.callers(of: $0) }
        }
        return finding
    }

    // MARK: What waits because of it

    private var blocked: StuckAnswer.Blocked {
        var blocked = StuckAnswer.Blocked()
        var counted: Set<UInt> = []
        var waiting: [WaitForGraph.Node] = []
        for node in victims.union(members) {
            switch node {
            case .queue(let address), .pool(let address):
                if counted.insert(address).inserted { blocked.items += items(of: address) }
                // If `dispatchMain` runs, the main queue has no thread of its own.
                if process.queues[address]?.kind == .main { blocked.isMain = true }
            case .thread(let id):
                if process.threads[id]?.isMain == true { blocked.isMain = true }
                if !members.contains(node), isHosts(node) {
                    blocked.threads += 1
                    waiting.append(node)
                }
            case .task(let address):
                // A task that a thread of the finding runs is a member already.
                let runner = process.runners[address]
                let isMember = runner.map { members.contains(.thread($0)) } ?? false
                if !members.contains(node), !isMember {
                    blocked.tasks += 1
                    waiting.append(node)
                }
            case .operation:
                guard !members.contains(node) else { break }
                blocked.operations += 1
                waiting.append(node)
            case .actor, .lock, .semaphore, .group, .condition: break
            }
        }
        let first = process.waitingParties(of: waiting)
        blocked.first = first.isEmpty ? nil : first
        return blocked
    }

    private func items(of address: UInt) -> Int {
        guard let queue = process.queues[address] else { return 0 }
        // A thread in `sync` is counted as a thread.
        let waiters = queue.items.count { $0.waiter != nil && !process.isAgents($0) }
        // Items that wait for a root queue's thread are mostly queues, whose items are counted.
        let hasOwn = queue.items.contains { $0.kind != .queue && $0.kind != .source }
        guard queue.kind != .global || hasOwn else { return 0 }
        return max(0, process.hostItems(queue) - waiters)
    }

    // MARK: What to do next

    private var next: [String] {
        let parties = (findings + waits).flatMap(\.parties)
        var threads: [String] = []
        for thread in parties.compactMap(\.thread) where !threads.contains("\(thread)") {
            threads.append("\(thread)")
        }
        let kinds = Set(parties.map(\.subject.kind))
        // Parties on a pool's queue say nothing about this.
        let queue = parties.lazy.compactMap { party in
            party.subject.kind == .thread ? party.on : party.subject
        }.first { $0.kind == .queue }
        var next = threads.isEmpty ? [] : ["stack " + threads.prefix(4).joined(separator: " ")]
        if let queue { next.append("queue \(queue.name)") }
        if kinds.contains(.task) || kinds.contains(.actor) { next.append("tasks") }
        if kinds.contains(.operation) { next.append("operations") }
        return next + ["dump --output FILE"]
    }
}

extension StuckAnswer {
    /// Returns whether an answer accuses a service by a probe's threshold, a while after it was given: a deadlock at once,
    /// anything else that is stuck where it has stood for so long by then, if it has not gone on.
    ///
    /// - Parameters:
    ///   - after: The probe's threshold, in seconds.
    ///   - age: How long ago it was given, in seconds.
    /// - Returns: Whether it does.
    package func isStuck(after: Double, age: Double) -> Bool {
        findings.contains { finding in
            switch finding.grade {
            case .deadlock: true
            case .stuck: (finding.seconds ?? 0) + age >= after
            case .waits, nil: false
            }
        }
    }
}
#endif
