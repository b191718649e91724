#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// Long waits that something alive could end, of which it isn't known whether it will.
struct UnjudgedWaits: Sendable {
    /// The maximum number of places that are kept, and that are shown.
    private static let most = 32
    private static let mostShown = 3

    private(set) var count = 0
    private var findings: [StuckAnswer.Finding] = []

    /// Adds a wait; one at the place of another is counted.
    mutating func add(_ finding: StuckAnswer.Finding) {
        count += 1
        guard let party = finding.parties.first else { return }
        let place = findings.firstIndex { $0.parties.first?.isAlike(party) == true }
        if let place {
            findings[place].parties[0].count = (findings[place].parties[0].count ?? 1) + 1
            findings[place].seconds = max(findings[place].seconds ?? 0, finding.seconds ?? 0)
        } else if findings.count < Self.most {
            findings.append(finding)
        }
    }

    /// The longest of them.
    var longest: [StuckAnswer.Finding] {
        findings.sorted { ($0.seconds ?? 0) > ($1.seconds ?? 0) }.prefix(Self.mostShown).map(\.self)
    }
}

extension Diagnosis {
    /// Notes a task that has waited long for a continuation to which something alive leads.
    ///
    /// Readers of streams and tasks that wait for a shutdown are none: a server has thousands of them.
    mutating func noteUnjudged(_ task: TaskFacts, _ age: Double, _ hope: StuckAnswer.Hope) {
        guard age >= thresholds.stuckAfterInput, !hope.isTime, !task.isCancelled else { return }
        var party = partyAtPlace(of: task)
        guard party.function != nil, party.isForeign != true, !party.isExpectedToLast,
            !party.isInFuture
        else { return }
        party.frames = []
        unjudged.add(
            StuckAnswer.Finding(.notResumed, .waits, seconds: age, parties: [party], hope: hope))
    }

    /// The maximum number of threads whose potential wakers are looked for.
    private static let mostThreads = 500

    /// Notes threads at work whose long waits have no finding, and those in calls that are no wait for work.
    mutating func noteUnjudgedThreads() {
        var left = Self.mostThreads
        for thread in process.later.threads
        where left > 0 && !thread.isAgent && thread.mayWaitTooLong && thread.hostFrame != nil {
            let node = WaitForGraph.Node.thread(thread.id)
            guard !members.contains(node), !victims.contains(node), !weighed.contains(node),
                let age = age(ofThread: thread.id), age >= thresholds.stuckAfterInput
            else { continue }
            left -= 1
            let hope = thread.wait.awaited.flatMap { prospect(of: $0).hope }
            guard hope?.isTime != true else { continue }
            var finding = StuckAnswer.Finding(
                .slow, .waits, seconds: age, parties: [process.brief(thread: thread.id)],
                hope: hope)
            finding.evidence = nil
            unjudged.add(finding)
        }
    }
}

extension StuckAnswer.Hope {
    /// Indicates that the wait ends at a time.
    fileprivate var isTime: Bool {
        switch self {
        case .timer, .timeout, .sleepingTask, .processTimer, .thread(_, .time?): true
        default: false
        }
    }
}

extension StuckAnswer.Party {
    /// Indicates a task that waits for a future of SwiftNIO's. A server's own task waits so for its channel to close.
    var isInFuture: Bool { waitsIn == "NIOCore get()" }

    /// Indicates a wait that lasts as long as the service does: for a stream's next element, for a shutdown, until
    /// it is cancelled.
    var isExpectedToLast: Bool {
        [function ?? "", waitsIn ?? ""].contains { name in
            let words = name.prefix { $0 != "(" }.split { $0 == "." || $0 == " " }
            let last = words.last?.lowercased() ?? ""
            // A service's own `shutdown()` waits for something else.
            let isForShutdown =
                last.hasSuffix("shutdown") && last != "shutdown"
                || last.contains("ongracefulshutdown")
                || last.contains("whengracefulshutdown")
            return last == "next" || isForShutdown || last.contains("cancel")
        }
    }
}

extension ThreadFacts {
    /// Indicates a thread that does an item or a task, or stands in a call that is no wait for work.
    fileprivate var mayWaitTooLong: Bool {
        let isAtWork = !held.isEmpty || task != nil || isInMainItem
        switch wait {
        case .semaphore, .group, .condition: return isAtWork
        case .event(let call): return isAtWork && !isForMany(call)
        case .unknown: return !isInSignalWait && !isForMany("")
        case .running, .idle, .eventLoop, .time, .lock, .queue, .thread, .operations: return false
        }
    }

    private func isForMany(_ call: String) -> Bool {
        wait.isForManyDescriptors || call.hasPrefix("accept") || call.hasSuffix("poll")
    }
}
#endif
