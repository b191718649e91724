#if TELLTALE_AGENT
package import TelltalePicture
import TelltaleProtocol

/// The diagnosis of two pictures of a process: the work that makes no progress, and the object that
/// it waits for in the end.
///
/// It is undecidable in general which party could wake another, so facts have separate grades.
/// A deadlock is a cycle, each of whose waits is proven and has not moved. Stuck is a party that
/// has work and has not moved for as long as the ``Thresholds`` say: always if nothing in the
/// process could end its wait, and else if it serves others: the main thread, an owner that the
/// host has shown, a pool. A long wait with others behind it that a potential waker may still end
/// is reported with that waker, and is not a fault.
///
/// It reads nothing but its pictures: no memory, no clock, no agent.
package struct Diagnosis: Sendable {
    let process: Comparison
    let graph: WaitForGraph
    private(set) var search: ProspectSearch
    let thresholds: Thresholds
    /// The stuck findings, deadlocks first.
    private(set) var findings: [StuckAnswer.Finding] = []
    /// The long waits.
    private(set) var waits: [StuckAnswer.Finding] = []
    /// The parties that look like a finding and are not.
    private(set) var remarks: [StuckAnswer.Remark] = []
    /// The members of findings, and the work blocked by one.
    private(set) var members: Set<WaitForGraph.Node> = []
    private(set) var victims: Set<WaitForGraph.Node> = []
    /// The same for parties of long waits.
    private(set) var weighed: Set<WaitForGraph.Node> = []
    /// The number of tasks awaiting a continuation that have been searched.
    var weighedTasks = 0
    /// The task that has waited longest among those with a potential waker.
    var restingTask: (address: UInt, age: Double, hope: StuckAnswer.Hope)?
    /// The long waits that can't be judged.
    var unjudged = UnjudgedWaits()
    /// The share of a core that threads have used since the picture, if there is only one.
    var sharesAfter: [Int32: Double] = [:]
    /// The result for a task that waits for a continuation, by its location.
    var taskPlaces: [[RawFrame]: StuckAnswer.Party] = [:]
    /// The time until some wait that is too young to be a finding is old enough, if it lasts so long, in
    /// seconds; `nil` if none is too young.
    package private(set) var untilOlder: Double?
    /// Set if there was no time to see a young wait grow old enough.
    package var isShort = false

    /// At most so many findings are shown; more of them are the same trouble as a rule.
    static let mostFindings = 8
    static let mostRemarks = 8

    /// - Parameters:
    ///   - earlier: The process a moment ago.
    ///   - later: The process now.
    ///   - history: What was seen before both.
    ///   - thresholds: The times from which a lack of progress is a finding.
    package init(
        of earlier: Picture, _ later: Picture, history: WaitHistory = WaitHistory(),
        thresholds: Thresholds = .standard
    ) {
        self.init(
            of: ComparedPictures(earlier, later, history: history), thresholds: thresholds)
    }

    /// - Parameters:
    ///   - pictures: The process a moment ago and now.
    ///   - thresholds: The times from which a lack of progress is a finding.
    package init(of pictures: ComparedPictures, thresholds: Thresholds = .standard) {
        self.init(process: pictures.process, graph: pictures.graph, thresholds: thresholds)
    }

    /// The diagnosis of one picture of a process in which no wait could become a finding with time.
    ///
    /// A second picture could only remove findings of the first, if everything in it that waits is
    /// taken to be unmoved and without a potential waker. `nil` if a second one is needed.
    ///
    /// - Parameters:
    ///   - picture: The captured process.
    ///   - history: The observations before it.
    ///   - thresholds: The times from which a lack of progress is a finding.
    ///   - isPatient: Gives young waits the time to become a finding; a probe gives none.
    package init?(
        ofHealthy picture: Picture, history: WaitHistory = WaitHistory(),
        thresholds: Thresholds = .standard, isPatient: Bool = true
    ) {
        guard !picture.isCut, !(isPatient && picture.hasUnsearchedTask) else { return nil }
        let pictures = ComparedPictures(
            alone: picture, history: history,
            idleTasksFrom: isPatient ? 0 : thresholds.stuckAfter)
        let process = pictures.process
        let eager = Diagnosis(
            process: process.withoutHope, graph: pictures.graph,
            thresholds: isPatient ? .all(0) : thresholds)
        // A second picture is also needed to see that a queue was suspended only for a moment.
        guard eager.findings.isEmpty,
            !eager.waits.contains(where: { $0.evidence == .queueSuspended })
        else { return nil }
        self.init(of: pictures, thresholds: thresholds)
        untilOlder = eager.untilOlder
        if !isPatient, !picture.tasks.isEmpty {
            _ = isOld(process.ageOfOldestTask, thresholds.stuckAfter)
        }
        if mayHaveKnots() { return nil }
    }

    private init(process: Comparison, graph: WaitForGraph, thresholds: Thresholds) {
        self.process = process
        self.thresholds = thresholds
        self.graph = graph
        search = ProspectSearch(process: process)
        findDeadlocks()
        findPoolDeadlocks()
        findInitialiserCircles()
        findExhaustedPools()
        findBlockedLoops()
        // A task or an operation says more than the semaphore on which a thread waits for it.
        let nodes = graph.nodes
        for node in nodes.filter(\.isWork) + nodes.filter({ !$0.isWork })
        where !members.contains(node) && !victims.contains(node) && !weighed.contains(node) {
            switch node {
            case .queue(let address): findSuspendedQueue(address)
            case .semaphore, .group, .condition, .lock: findUnsignalled(node)
            case .thread(let id): findSlowThread(id)
            case .task(let address): findUnresumedTask(address)
            case .operation(let address): findUnfinishedOperation(address)
            case .pool, .actor: break
            }
        }
        noteUnjudgedThreads()
    }

    /// Indicates that more would be stuck if unmoved work stayed so for longer: another picture is
    /// then worth the time.
    package var mayFindMoreLater: Bool {
        guard thresholds.stuckAfter > 0 else { return false }
        var eager = thresholds
        eager.stuckAfter = 0
        // A caller that asks for long waits of a second or less has time for that second.
        if thresholds.stuckAfterInput <= thresholds.stuckAfter { eager.stuckAfterInput = 0 }
        let later = Diagnosis(process: process, graph: graph, thresholds: eager)
        return later.findings.count + (eager.stuckAfterInput > 0 ? 0 : later.waits.count)
            > findings.count + (eager.stuckAfterInput > 0 ? 0 : waits.count)
    }

    /// Indicates that more would be stuck if the latest waits stayed as they are, whatever their
    /// age: a cycle that has just closed. In a busy service something has always just begun to
    /// wait.
    package var hasNewcomers: Bool {
        guard haveSomeComeToRest else { return false }
        let still = ComparedPictures(process.later, process.later, history: process.history)
        return Diagnosis(of: still, thresholds: thresholds).findings.count > findings.count
    }

    /// Indicates that threads wait for others, or items wait, that did not in the earlier picture.
    private var haveSomeComeToRest: Bool {
        process.later.threads.contains { thread in
            !thread.isAgent && !process.unmovedThreads.contains(thread.id)
                && (thread.wait.needsAnother || (thread.wait.isEvent && !thread.held.isEmpty))
        }
            || process.later.queues.contains {
                !process.unmovedQueues.contains($0.address) && process.hostItems($0) > 0
            }
    }

    /// Indicates that no thread of the host has run: nothing can have been handed over.
    package var isStill: Bool {
        process.later.threads.allSatisfy {
            $0.isAgent || process.unmovedThreads.contains($0.id)
        }
    }

    /// See ``ComparedPictures/targets``.
    package var targets: [WaitTarget] { graph.targets(in: process) }

    /// Indicates that something is stuck because a search has found no potential waker.
    package var isFoundBySearch: Bool {
        findings.contains { $0.hope == nil } && !process.later.holders.isEmpty
    }

    // MARK: What the searches share

    /// Returns whether a wait is as old as a threshold. If it isn't, ``untilOlder`` says when it will be.
    mutating func isOld(_ age: Double, _ threshold: Double) -> Bool {
        guard age < threshold else { return true }
        untilOlder = min(untilOlder ?? .infinity, threshold - age)
        return false
    }

    mutating func add(_ finding: StuckAnswer.Finding, _ nodes: [WaitForGraph.Node]) {
        mark(nodes, finding.grade)
        if finding.grade == .waits {
            if waits.count < Self.mostFindings { waits.append(finding) }
        } else if findings.count < Self.mostFindings {
            findings.append(finding)
        }
    }

    /// Counts a finding that equals an earlier one, with another party; false if there is none.
    mutating func count(_ finding: StuckAnswer.Finding, _ node: WaitForGraph.Node) -> Bool {
        let isCounted =
            finding.grade == .waits ? waits.count(finding) : findings.count(finding)
        if isCounted { mark([node], finding.grade) }
        return isCounted
    }

    /// Counts one more cycle that is like that of a finding, which has stood so for as long as the oldest.
    mutating func countAgain(_ index: Int, _ nodes: [WaitForGraph.Node], seconds: Double) {
        findings[index].count = (findings[index].count ?? 1) + 1
        findings[index].seconds = max(findings[index].seconds ?? 0, seconds)
        mark(nodes, findings[index].grade)
    }

    private mutating func mark(
        _ nodes: [WaitForGraph.Node], _ grade: StuckAnswer.Grade?
    ) {
        for node in nodes {
            if grade == .waits {
                weighed.formUnion(graph.waiting(for: node).union([node]))
            } else {
                members.insert(node)
                victims.formUnion(graph.waiting(for: node))
            }
        }
    }

    mutating func add(_ remark: StuckAnswer.Remark) {
        if remarks.count < Self.mostRemarks { remarks.append(remark) }
    }

    /// The minimum time, in seconds, that a thread has been unchanged; `nil` if it has moved.
    func age(ofThread id: Int32) -> Double? {
        guard process.unmovedThreads.contains(id) else { return nil }
        return max(age(of: .thread(id)), process.threads[id]?.offCPUFor ?? 0)
    }

    /// The time, in seconds, that a node has been seen unchanged.
    func age(of node: WaitForGraph.Node) -> Double {
        let since = process.history.since(node) ?? process.earlier.time
        return (process.later.time - min(since, process.earlier.time)).inSeconds
    }

    /// Returns whether it is the host's: the agent's own threads are not victims.
    func isHosts(_ node: WaitForGraph.Node) -> Bool {
        switch node {
        case .thread(let id): process.threads[id]?.isAgent == false
        case .queue(let address):
            process.queues[address].map { process.hostItems($0) > 0 } ?? false
        case .task, .actor, .operation: true
        case .pool, .lock, .semaphore, .group, .condition: false
        }
    }

    /// Returns whether one of these serves others, and has work: the main thread, or an owner that
    /// the host has shown. No potential waker excuses it for ever.
    func haveServer(_ nodes: Set<WaitForGraph.Node>) -> Bool {
        nodes.contains { node in
            switch node {
            case .thread(let id):
                guard let thread = process.threads[id] else { return false }
                return thread.isInMainItem || thread.isInExit
            case .queue(let address):
                guard let queue = process.queues[address], process.hostItems(queue) > 0 else {
                    return false
                }
                return queue.kind == .main || process.later.owners.contains(address)
            case .actor(let address): return process.later.owners.contains(address)
            default: return false
            }
        }
    }

    /// Returns the prospect of a wait that has no owner.
    mutating func prospect(of node: WaitForGraph.Node) -> Prospect {
        node.target.map { search.expect(of: $0) } ?? .nothing
    }
}

extension Picture {
    /// Indicates a task that waits to be resumed by an unknown waker: taken to be unmoved and
    /// without a waker it is a finding, which needs no diagnosis.
    fileprivate var hasUnsearchedTask: Bool {
        tasks.contains {
            $0.waitsFor == .continuation && holders[.continuation(task: $0.address)] == nil
        }
    }
}

extension WaitForGraph.Node {
    /// A task or an operation.
    fileprivate var isWork: Bool {
        switch self {
        case .task, .operation: true
        default: false
        }
    }
}
#endif
