#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// Findings on growth.
extension Doctor {
    /// Adds what has grown, by its name; a queue has its name from the picture. Those of one rate are one
    /// finding.
    package mutating func add(_ grown: [(name: String, growth: Growth)]) {
        var groups: [[Growth]] = []
        let names = Dictionary(grown.map { ($0.growth.subject, $0.name) }) { first, _ in first }
        for (_, growth) in grown {
            let group = groups.firstIndex { $0[0].isEqual(to: growth) }
            if let group { groups[group].append(growth) } else { groups.append([growth]) }
        }
        for group in groups.prefix(Self.mostOfAKind) {
            // The items of a queue say more than the objects that they capture.
            let sleeps = group.firstIndex { $0.subject == .delayedItems && isOfCancelledSleeps($0) }
            let first = group.firstIndex { $0.subject.queue != nil } ?? sleeps ?? 0
            func title(_ growth: Growth) -> String {
                if growth.subject == .delayedItems, sleeps != nil {
                    return "delayed items of Task.sleep calls that were cancelled"
                }
                return growth.subject.queue.map {
                    "items waiting on \(process.subject(queue: $0).queueTitle)"
                } ?? names[growth.subject] ?? ""
            }
            let others = group.indices.filter { $0 != first }.map { title(group[$0]) }
            var finding = group[first].finding(named: title(group[first]), equally: others)
            if let queue = group[first].subject.queue {
                finding.parties = [worker(of: queue)]
                grownNext.append(process.subject(queue: queue).queueTitle)
            }
            if first == sleeps { grownNext.append("timers") }
            findings.append(finding)
        }
        findings = Self.sorted(findings)
    }

    /// Indicates that nearly all delayed items are of sleeps that nothing waits for any more: each keeps a task that
    /// would end its sleep, and only few tasks sleep.
    private func isOfCancelledSleeps(_ growth: Growth) -> Bool {
        var known: [UInt: Bool] = [:]
        var ends = 0
        for task in process.later.tasks {
            if task.waitsFor == .timer || task.waitsFor == .continuation { ends -= 1 }
            guard task.isUnstarted, task.waitsFor == nil, let code = task.frames.first?.address
            else { continue }
            let isEnd =
                known[code]
                ?? (process.later.names[code] ?? []).contains {
                    $0.name?.contains("Task._sleep(") == true
                }
            known[code] = isEnd
            if isEnd { ends += 1 }
        }
        return ends * 10 >= growth.count * 9
    }

    /// The thread that takes a queue's items, else the queue alone.
    private func worker(of queue: UInt) -> StuckAnswer.Party {
        let subject = process.subject(queue: queue)
        guard let thread = process.queues[queue]?.owner.flatMap({ process.threads[$0] }),
            !thread.isAgent
        else { return StuckAnswer.Party(subject) }
        var party = process.brief(thread: thread.id)
        party.on = subject
        return party
    }
}

extension StuckAnswer.Subject {
    /// `queue photos`; one without a label has the word in its name.
    fileprivate var queueTitle: String { name.hasPrefix("queue ") ? name : "queue \(name)" }
}
#endif
