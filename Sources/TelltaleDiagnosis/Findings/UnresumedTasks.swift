#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// A server has thousands of suspended tasks; the cost of a diagnosis must not grow with the
    /// names of each.
    private static let mostTasks = 1000

    /// Finds a task whose continuation was not resumed: a server's task waits so for years. Only if
    /// nothing in the process could resume it, it is known to be stuck; with a potential waker it
    /// is merely idle.
    mutating func findUnresumedTask(_ address: UInt) {
        let holders = process.later.holders[.continuation(task: address)]
        let isLost = holders?.isLost == true
        guard isLost || weighedTasks < Self.mostTasks else { return }
        guard let task = process.tasks[address], task.waitsFor == .continuation,
            process.unmovedTasks.contains(address)
        else { return }
        let age = age(of: .task(address))
        guard isOld(age, thresholds.stuckAfter) else { return }
        if !isLost { weighedTasks += 1 }
        let prospect = isLost ? Prospect.nothing : prospect(of: .task(address))
        if case .hope(let hope) = prospect {
            if age > restingTask?.age ?? 0 { restingTask = (address, age, hope) }
            noteUnjudged(task, age, hope)
            return
        }
        guard prospect == .nothing || age >= thresholds.stuckAfterInput else { return }
        let party = partyAtPlace(of: task)
        let behind = graph.waiting(for: .task(address)).sorted()
        let isSearched = process.isHopeless || holders != nil
        guard isSearched || party.on != nil || !behind.isEmpty else {
            if let hope = prospect.hope { noteUnjudged(task, age, hope) }
            return
        }
        let grade = prospect == .nothing ? StuckAnswer.Grade.stuck : .waits
        var finding = StuckAnswer.Finding(
            .notResumed, grade, seconds: age, parties: [party], hope: prospect.hope)
        // A server has as many of them as clients; they are one trouble.
        if prospect == .nothing, let holders, !holders.roots.isEmpty {
            finding.meeting = holders.nearest
        }
        if count(finding, .task(address)) { return }
        guard (grade == .waits ? waits : findings).count < Self.mostFindings else { return }
        finding.parties += process.folded(waiting: behind).prefix(3)
        add(finding, [.task(address)])
    }

    /// A task and where it is; of many at one place that is found out once.
    mutating func partyAtPlace(of task: TaskFacts) -> StuckAnswer.Party {
        guard !task.isCancelled, var party = taskPlaces[task.frames] else {
            let party = process.party(task: task.address)
            if !task.isCancelled { taskPlaces[task.frames] = party }
            return party
        }
        party.subject = process.subject(.task(task.address))
        return party
    }
}

extension Comparison {
    /// Tasks and threads that wait for something, those at one place once each with their number.
    fileprivate func folded(waiting nodes: [WaitForGraph.Node]) -> [StuckAnswer.Party] {
        var threads: [Int32] = []
        var parties: [StuckAnswer.Party] = []
        for node in nodes {
            switch node {
            case .thread(let id): threads.append(id)
            case .task(let address):
                let party = party(task: address)
                if let index = parties.firstIndex(where: { $0.isAlike(party) }) {
                    parties[index].count = (parties[index].count ?? 1) + 1
                } else {
                    parties.append(party)
                }
            default: break
            }
        }
        return parties + folded(threads)
    }
}
#endif
