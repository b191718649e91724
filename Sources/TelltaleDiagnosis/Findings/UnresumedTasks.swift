#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// A server has thousands of suspended tasks; what a diagnosis costs must not grow with each one's
    /// names.
    private static let mostTasks = 1000

    /// A task that waits for somebody to resume its continuation: a server's task waits so for years.
    /// Only where nothing in the process could do it, it is known that nobody will.
    mutating func findUnresumedTask(_ address: UInt) {
        guard let task = process.tasks[address], task.waitsFor == .continuation,
            process.unmovedTasks.contains(address),
            process.window >= thresholds.blocked, hope == nil,
            findings.count < Self.mostFindings, weighedTasks < Self.mostTasks
        else { return }
        weighedTasks += 1
        let party = process.party(task: address)
        let behind = graph.waiting(for: .task(address)).sorted()
        guard party.on != nil || !behind.isEmpty, party.function != nil else { return }
        let waiting = behind.compactMap { node -> StuckAnswer.Party? in
            if case .task(let other) = node { process.party(task: other) } else { nil }
        }
        add(
            StuckAnswer.Finding(
                .notResumed, seconds: process.window, parties: [party] + waiting.prefix(3)),
            [.task(address)])
    }
}
#endif
