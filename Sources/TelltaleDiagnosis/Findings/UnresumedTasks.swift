#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// A server has thousands of suspended tasks; what a diagnosis costs must not grow with each one's
    /// names.
    private static let mostTasks = 1000

    /// A task that waits for somebody to resume its continuation: a server's task waits so for years.
    /// Only where nothing in the process could do it, it is known that nobody will; where something
    /// lives that will, it is no more than idle.
    mutating func findUnresumedTask(_ address: UInt) {
        guard let task = process.tasks[address], task.waitsFor == .continuation,
            process.unmovedTasks.contains(address),
            findings.count < Self.mostFindings
        else { return }
        let age = age(of: .task(address))
        guard age >= thresholds.stuckAfter else { return }
        let holders = process.later.holders[.continuation(task: address)]
        let isLost = holders.map { $0.isWhole && $0.roots.isEmpty } ?? false
        guard isLost || weighedTasks < Self.mostTasks else { return }
        if !isLost { weighedTasks += 1 }
        let prospect = isLost ? Prospect.nothing : prospect(of: .task(address))
        if case .hope(let hope) = prospect {
            if age > restingTask?.age ?? 0 { restingTask = (address, age, hope) }
            return
        }
        guard
            prospect == .nothing
                || (age >= thresholds.stuckAfterInput && waits.count < Self.mostFindings)
        else { return }
        let party = process.party(task: address)
        let behind = graph.waiting(for: .task(address)).sorted()
        let isSearched = process.isHopeless || holders != nil
        guard isSearched || party.on != nil || !behind.isEmpty, party.function != nil else {
            return
        }
        let waiting = process.firstParties(of: behind)
        add(
            StuckAnswer.Finding(
                .notResumed, prospect == .nothing ? .stuck : .waits, seconds: age,
                parties: [party] + waiting, hope: prospect.hope),
            [.task(address)])
    }
}
#endif
