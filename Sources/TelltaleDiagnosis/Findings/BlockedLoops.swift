#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// Event loops that don't come back to their wait while their descriptors have something: whose
    /// thread is blocked in one of its handlers. Nothing that could be hoped for elsewhere excuses it:
    /// meanwhile nobody is served.
    ///
    /// A loop on which no thread was ever seen waiting is nobody's, and never accused. One whose thread
    /// runs is slow or busy, however often it is seen away; its thread's switches are what tells.
    mutating func findBlockedLoops() {
        guard !process.later.eventLoops.isEmpty else { return }
        let earlier = Dictionary(process.earlier.eventLoops.map { ($0.id, $0) }) { first, _ in first
        }
        let atAnother = Set(process.later.eventLoops.flatMap(\.waiting))
        for loop in process.later.eventLoops {
            guard let was = earlier[loop.id], loop.waiting.isEmpty, was.waiting.isEmpty,
                !loop.threads.isEmpty, loop.threads.allSatisfy({ isHosts(.thread($0)) }),
                // Whoever waits on another loop is in no handler of this one.
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
            waits.allSatisfy({ $0.isBlocked })
        else {
            // One that computes, or turns in long handlers, takes it up by itself.
            if isReady { remark(loop, .busyLoop) }
            return
        }
        guard isReady else {
            // Known from earlier looks where one picture is all that there is.
            if max(age, loop.away?.inSeconds ?? 0) >= thresholds.blocked {
                remark(loop, .blockedLoop)
            }
            return
        }
        guard age >= thresholds.blocked else { return }
        let threads = loop.threads
        // Nobody is served meanwhile; but what comes from outside, or is under way, gets its time.
        let hope = hope(ofPool: threads)
        let isStuck = age >= (hope == nil ? thresholds.blocked : thresholds.slow)
        let nodes = threads.map { WaitForGraph.Node.thread($0) }
        let behind = nodes.reduce(into: Set()) { $0.formUnion(graph.waiting(for: $1)) }
        add(
            StuckAnswer.Finding(
                .eventLoopBlocked(ready: loop.readyCount), isStuck ? .stuck : .waits, seconds: age,
                parties: [process.party(loop)] + process.folded(threads)
                    + holders(of: threads) + process.longestQueues(behind), hope: hope), nodes)
    }

    private mutating func remark(_ loop: EventLoopFacts, _ reason: StuckAnswer.Remark.Reason) {
        guard let thread = loop.threads.first else { return }
        var party = process.brief(thread: thread)
        party.on = process.subject(loop)
        add(StuckAnswer.Remark(party, reason))
    }

    /// The threads that a loop's threads wait for in the end: who is to be looked at as well.
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
                unread: StuckAnswer.Unread.counted(loop.ready)))
    }
}

extension StuckAnswer.Unread {
    /// What waits in descriptors, by kind, as they stand in the list.
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
    /// Whether it waits for something that isn't sure to come by itself.
    fileprivate var isBlocked: Bool {
        switch self {
        case .queue, .lock, .semaphore, .group, .condition, .operations, .thread, .event,
            .eventLoop, .unknown:
            true
        // A time comes; a thread that pauses has nothing to do.
        case .running, .idle, .time: false
        }
    }
}
#endif
