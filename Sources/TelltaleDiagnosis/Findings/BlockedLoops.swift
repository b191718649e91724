#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// Finds event loops that don't return to their wait while their descriptors have events: the
    /// thread is blocked in one of its handlers. A potential waker gives it time and no excuse:
    /// meanwhile no client is served.
    ///
    /// A loop on which no thread was ever seen waiting has no known thread, and is never accused.
    /// One whose thread runs is slow or busy, however often it is seen away; its thread's context
    /// switches decide.
    mutating func findBlockedLoops() {
        guard !process.later.eventLoops.isEmpty else { return }
        let earlier = Dictionary(process.earlier.eventLoops.map { ($0.id, $0) }) { first, _ in first
        }
        let atAnother = Set(process.later.eventLoops.flatMap(\.waiting))
        for loop in process.later.eventLoops {
            guard let was = earlier[loop.id], loop.waiting.isEmpty, was.waiting.isEmpty,
                !loop.threads.isEmpty, loop.threads.allSatisfy({ isHosts(.thread($0)) }),
                // A thread that waits on another loop is in no handler of this one.
                atAnother.isDisjoint(with: loop.threads),
                !loop.threads.contains(where: { isNamed(.thread($0)) })
            else { continue }
            judge(loop, isReady: loop.isReady && was.isReady)
        }
    }

    private func isNamed(_ node: WaitForGraph.Node) -> Bool {
        members.contains(node) || victims.contains(node)
    }

    private mutating func judge(_ loop: EventLoopFacts, isReady: Bool) {
        let ages = loop.threads.compactMap { self.age(ofThread: $0) }
        let waits = loop.threads.compactMap { process.threads[$0]?.wait }
        guard let age = ages.min(), ages.count == loop.threads.count,
            waits.allSatisfy({ $0.isBlocked || $0 == .time })
        else {
            // A loop that computes, or runs long handlers, takes them up by itself.
            if isReady { remark(loop, .busyLoop) }
            return
        }
        // A sleep has an end that is known.
        let isAsleep = waits.contains(.time)
        guard isReady else { return judgeSilent(loop, age, isAsleep: isAsleep) }
        guard !isAsleep || isOld(age, thresholds.stuckAfterInput) else {
            return remark(loop, .busyLoop)
        }
        guard isOld(age, thresholds.stuckAfter) else { return }
        let hope = hope(of: loop)
        // No client is served meanwhile: a potential waker gives it time, and no excuse.
        let isStuck =
            !isAsleep && age >= (hope == nil ? thresholds.stuckAfter : thresholds.stuckAfterInput)
        add(loop, isStuck ? .stuck : .waits, age, hope)
    }

    /// Judges a loop whose thread is blocked while no event comes, as far as can be seen.
    private mutating func judgeSilent(_ loop: EventLoopFacts, _ age: Double, isAsleep: Bool) {
        // Known from earlier looks where one picture is all that there is.
        let age = max(age, loop.away?.inSeconds ?? 0)
        guard !isAsleep, isOld(age, thresholds.stuckAfter) else { return }
        let holdsUp = loop.threads.contains { id in
            process.threads[id]?.isMain == true
                || !graph.waiting(for: .thread(id), throughPools: false).isEmpty
        }
        // If others wait for its thread, these waits are judged separately.
        guard age >= thresholds.stuckAfterInput, !holdsUp else { return remark(loop, .blockedLoop) }
        add(loop, .waits, age, hope(of: loop))
    }

    private mutating func add(
        _ loop: EventLoopFacts, _ grade: StuckAnswer.Grade, _ age: Double,
        _ hope: StuckAnswer.Hope?
    ) {
        let nodes = loop.threads.map { WaitForGraph.Node.thread($0) }
        let behind = nodes.reduce(into: Set()) {
            $0.formUnion(graph.waiting(for: $1, throughPools: false))
        }
        add(
            StuckAnswer.Finding(
                .eventLoopBlocked(ready: loop.isReady ? loop.readyCount : 0), grade, seconds: age,
                parties: [process.party(loop)] + process.folded(loop.threads)
                    + holders(of: loop.threads) + process.longestQueues(behind), hope: hope), nodes)
    }

    /// Returns the potential waker of a loop's threads; `nil` for none.
    private mutating func hope(of loop: EventLoopFacts) -> StuckAnswer.Hope? {
        var rest = loop.threads.map { WaitForGraph.Node.thread($0) }
        var seen = Set(rest)
        while let node = rest.popLast() {
            if case .thread(let id) = node, let thread = process.threads[id],
                thread.wait.awaited == nil
            {
                if loop.threads.contains(id) { return .itself }
                let name = thread.isMain ? "the main thread" : process.title(ofThread: id)
                return .thread(name: name, process.hopeState(of: thread))
            }
            if node.target != nil, let hope = prospect(of: node).hope { return hope }
            rest += graph.awaited(by: node).filter { seen.insert($0).inserted }
        }
        return nil
    }

    private mutating func remark(_ loop: EventLoopFacts, _ reason: StuckAnswer.Remark.Reason) {
        guard let thread = loop.threads.first else { return }
        var party = process.brief(thread: thread)
        party.on = process.subject(loop)
        add(StuckAnswer.Remark(party, reason))
    }

    /// The threads that a loop's threads wait for in the end: the parties to examine as well.
    private func holders(of threads: [Int32]) -> [StuckAnswer.Party] {
        var found: [Int32] = []
        var rest = threads.map { WaitForGraph.Node.thread($0) }
        var seen = Set(rest)
        while let node = rest.popLast(), found.count < 3 {
            for next in graph.awaited(by: node) where seen.insert(next).inserted {
                if case .thread(let id) = next { found.append(id) }
                rest.append(next)
            }
        }
        return found.map { process.party(thread: $0) }
    }
}

extension Comparison {
    /// A loop as a finding names it.
    func subject(_ loop: EventLoopFacts) -> StuckAnswer.Subject {
        let label = String(loop.label.unicodeScalars.prefix(120))
        let isSaid = label.hasSuffix("loop") || label.contains(" loop ")
        return .init(.eventLoop, isSaid ? label : "event loop \(label)")
    }

    fileprivate func party(_ loop: EventLoopFacts) -> StuckAnswer.Party {
        StuckAnswer.Party(
            subject(loop),
            .eventLoop(
                ready: loop.readyCount, of: loop.members,
                unread: StuckAnswer.Unread.counted(loop.ready)
                    + (loop.tasks.map {
                        [StuckAnswer.Unread(kind: "task", descriptors: $0.waiting, unread: nil)]
                    } ?? [])))
    }
}

extension StuckAnswer.Unread {
    /// Counts pending descriptors by kind, in the order of the list.
    fileprivate static func counted(_ ready: [EventLoopFacts.Ready]) -> [Self] {
        var kinds: [String] = []
        var counts: [String: Self] = [:]
        for descriptor in ready {
            let kind = descriptor.kind.rawValue
            if counts[kind] == nil { kinds.append(kind) }
            var count = counts[kind] ?? Self(kind: kind, descriptors: 0, unread: nil)
            count.descriptors += 1
            if let unread = descriptor.unread {
                count.unread = (count.unread ?? 0).addingReportingOverflow(unread).partialValue
            }
            counts[kind] = count
        }
        return kinds.compactMap { counts[$0] }
    }
}

extension ThreadWait {
    /// Indicates a wait that isn't sure to end by itself.
    fileprivate var isBlocked: Bool {
        switch self {
        case .queue, .lock, .semaphore, .group, .condition, .operations, .thread, .event,
            .eventLoop, .unknown:
            true
        // A thread that pauses has nothing to do.
        case .running, .idle, .time: false
        }
    }
}
#endif
