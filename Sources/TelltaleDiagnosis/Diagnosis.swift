#if TELLTALE_AGENT
package import TelltalePicture
import TelltaleProtocol

/// What two pictures of a process mean: what makes no progress, and what it waits for in the end.
///
/// What is a finding: a cycle, always. Otherwise something that has not moved between the pictures and
/// holds others up, for as long as the ``Thresholds`` say, and that waits neither for time nor for
/// input or output, nor uses a core. Somebody who waits alone, and holds nobody up, is a finding only
/// where nothing in the process could wake him: a consumer without work looks the same.
///
/// It reads nothing but its pictures: no memory, no clock, no agent.
package struct Diagnosis: Sendable {
    let process: Comparison
    let graph: WaitForGraph
    let thresholds: Thresholds
    /// What may yet wake somebody who waits alone.
    let hope: StuckAnswer.Hope?
    private(set) var findings: [StuckAnswer.Finding] = []
    /// What looks like a finding and isn't.
    private(set) var remarks: [StuckAnswer.Remark] = []
    /// What stands in a finding, and what waits because of one.
    private(set) var members: Set<WaitForGraph.Node> = []
    private(set) var victims: Set<WaitForGraph.Node> = []
    /// How many tasks that wait for a continuation have been looked into.
    var weighedTasks = 0

    /// At most so many findings are shown; more of them are the same trouble as a rule.
    static let mostFindings = 8
    static let mostRemarks = 8

    /// - Parameters:
    ///   - earlier: The process a moment ago.
    ///   - later: The process now.
    ///   - thresholds: From when on what makes no progress is a finding.
    package init(
        of earlier: Picture, _ later: Picture, thresholds: Thresholds = .standard
    ) {
        self.init(process: Comparison(earlier, later), thresholds: thresholds)
    }

    /// What one picture says of a process in which nobody waits in a way that time could turn into a
    /// finding.
    ///
    /// A second picture could only take away from what the first shows, if all in it that waits is
    /// taken for unmoved.
    ///
    /// - Returns: Nil where a second picture is needed.
    package init?(ofHealthy picture: Picture, thresholds: Thresholds = .standard) {
        guard !picture.isCut else { return nil }
        let process = Comparison(picture, picture)
        let eager = Thresholds(blocked: 0, slow: 0, countsHope: thresholds.countsHope)
        guard Diagnosis(process: process, thresholds: eager).findings.isEmpty else { return nil }
        self.init(process: process, thresholds: thresholds)
    }

    private init(process: Comparison, thresholds: Thresholds) {
        self.process = process
        self.thresholds = thresholds
        graph = GraphBuilder.graph(of: process)
        hope = thresholds.countsHope ? process.hope : nil
        findDeadlocks()
        findExhaustedPools()
        findBlockedLoops()
        for node in graph.nodes where !members.contains(node) && !victims.contains(node) {
            switch node {
            case .queue(let address): findSuspendedQueue(address)
            case .semaphore, .group, .condition, .lock: findUnsignalled(node)
            case .thread(let id): findSlowThread(id)
            case .task(let address): findUnresumedTask(address)
            case .operation(let address): findUnfinishedOperation(address)
            case .pool, .actor: break
            }
        }
    }

    /// Whether more would be found if what has not moved stayed so for longer: another picture is then
    /// worth the time.
    package var mayFindMoreLater: Bool {
        guard thresholds.blocked > 0 else { return false }
        var eager = thresholds
        eager.blocked = 0
        eager.countsHope = false
        return Diagnosis(process: process, thresholds: eager).findings.count > findings.count
    }

    /// Whether somebody waits for others, or items wait, that did not in the earlier picture.
    package var hasNewcomers: Bool {
        process.later.threads.contains { thread in
            !thread.isAgent && !process.unmovedThreads.contains(thread.id)
                && (thread.wait.needsAnother || (thread.wait.isEvent && !thread.held.isEmpty))
        }
            || process.later.queues.contains {
                !process.unmovedQueues.contains($0.address) && process.hostItems($0) > 0
            }
    }

    // MARK: What the searches share

    mutating func add(_ finding: StuckAnswer.Finding, _ nodes: [WaitForGraph.Node]) {
        for node in nodes {
            members.insert(node)
            victims.formUnion(graph.waiting(for: node))
        }
        if findings.count < Self.mostFindings { findings.append(finding) }
    }

    mutating func add(_ remark: StuckAnswer.Remark) {
        if remarks.count < Self.mostRemarks { remarks.append(remark) }
    }

    /// For how long a thread has been as it is at least, in seconds; nil where it has moved.
    func age(ofThread id: Int32) -> Double? {
        guard process.unmovedThreads.contains(id) else { return nil }
        return max(process.window, process.threads[id]?.restingFor ?? 0)
    }

    /// Whether it is the host's: the agent's own threads are nobody's victims.
    func isHosts(_ node: WaitForGraph.Node) -> Bool {
        switch node {
        case .thread(let id): process.threads[id]?.isAgent == false
        case .queue(let address):
            process.queues[address].map { process.hostItems($0) > 0 } ?? false
        case .task, .actor, .operation: true
        case .pool, .lock, .semaphore, .group, .condition: false
        }
    }
}
#endif
