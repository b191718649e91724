#if TELLTALE_AGENT
package import TelltalePicture

/// Waits that nobody can end, as the memory was found to show twice: nobody has what would be needed, so that
/// nobody can get hold of it again. It stays true for as long as the same ones wait, and need not be searched
/// for another time.
package struct LostWaits: Sendable {
    private struct Lost: Sendable {
        var waiters: Set<WaitForGraph.Node>
        /// The moment of the picture in which it was found.
        var at: Duration
    }

    /// More than these are not remembered; each takes some 200 bytes.
    private static let most = 4096
    private var lost: [WaitTarget: Lost] = [:]

    package init() {}

    /// Remembers what a diagnosis has found after two searches, and forgets what it does not say any more.
    package mutating func keep(_ diagnosis: Diagnosis) {
        let found = diagnosis.lostTargets
        let time = diagnosis.process.later.time
        lost = lost.filter { diagnosis.process.later.holders[$0.key]?.isLost == true }
        for target in found where lost[target] == nil && lost.count < Self.most {
            lost[target] = Lost(waiters: diagnosis.waiters(for: target), at: time)
        }
    }

    /// What is known of some of the targets of a diagnosis: those on which nobody waits but who did then, and
    /// has not moved since.
    package func holders(of targets: [WaitTarget], in diagnosis: Diagnosis) -> [WaitTarget: Holders]
    {
        var known: [WaitTarget: Holders] = [:]
        for target in targets {
            guard let lost = lost[target] else { continue }
            let isSame = diagnosis.waiters(for: target).allSatisfy { waiter in
                guard let since = diagnosis.process.history.since(waiter) else { return false }
                return lost.waiters.contains(waiter) && since <= lost.at
            }
            if isSame { known[target] = Holders([], isWhole: true) }
        }
        return known
    }
}

extension Diagnosis {
    /// Of what was searched for that to which no way at all leads.
    fileprivate var lostTargets: [WaitTarget] {
        targets.filter { target in
            guard process.later.holders[target]?.isLost == true else { return false }
            if case .continuation(let task) = target { return process.unmovedTasks.contains(task) }
            return true
        }
    }

    fileprivate func waiters(for target: WaitTarget) -> Set<WaitForGraph.Node> {
        switch target {
        case .semaphore(let address): Set(graph.reversed[.semaphore(address)] ?? [])
        case .group(let address): Set(graph.reversed[.group(address)] ?? [])
        case .condition(let word): Set(graph.reversed[.condition(word)] ?? [])
        case .continuation(let task): [.task(task)]
        }
    }

    /// Of what was searched for that which nobody seems to be able to end: what another search is to bear out.
    package var endlessTargets: [WaitTarget] {
        targets.filter { target in
            guard process.later.holders[target] != nil else { return false }
            var search = ProspectSearch(process: process)
            return search.prospect(of: target) == .nothing
        }
    }
}

extension Holders {
    /// Whether nobody has it.
    package var isLost: Bool { isWhole && roots.isEmpty }
}
#endif
