#if TELLTALE_AGENT
package import TelltalePicture

/// Results of searches of the memory: waits that a potential waker will end some day, with the
/// waker, and those that nothing can reach. A caller that asks every few seconds need not have the
/// same searched for each time.
///
/// It accuses no party: each picture judges known wakers anew (a thread that now waits, or a timer
/// that was cancelled, is no longer one). The result of one search holds for a minute and for
/// probes, and a possible finding is searched for again. If two searches in two pictures have found
/// no waker, that holds for as long as the same parties wait: an unreachable object can't become
/// reachable.
package struct SearchedWaits: Sendable {
    private struct Searched: Sendable {
        /// The live root; `nil` if no path leads there at all.
        var root: Holders.Root?
        /// The moment of the picture in which it was found.
        var at: Duration
        /// The waiting nodes, if two searches have found no waker.
        var lostBy: Set<WaitForGraph.Node>?
    }

    private static let lifetime = Duration.seconds(60)
    /// More than these are not remembered; each takes some 100 bytes, and 200 where it is lost.
    private static let most = 20_000
    private var known: [WaitTarget: Searched] = [:]

    package init() {}

    /// Records the results of a diagnosis after a search; `isSure`: after two, in two pictures.
    package mutating func keep(_ diagnosis: Diagnosis, isSure: Bool) {
        let process = diagnosis.process
        let time = process.later.time
        known = known.filter { time - $0.value.at < Self.lifetime || $0.value.lostBy != nil }
        var search = ProspectSearch(process: process)
        for target in diagnosis.targets {
            let before = known[target]
            guard before != nil || known.count < Self.most,
                let holders = process.later.holders[target],
                before?.lostBy == nil || !holders.isLost
            else { continue }
            if before != nil { known[target] = nil }
            let living = search.livingRoot(of: target)
            guard living != nil || holders.isLost else { continue }
            var searched = Searched(root: living, at: time)
            if isSure, holders.isLost, diagnosis.hasNotMoved(target) {
                searched.lostBy = diagnosis.graph.waiters(for: target)
            }
            known[target] = searched
        }
    }

    /// Adds the known results to a picture's waits: to a task's, if it has not been resumed since.
    ///
    /// - Parameters:
    ///   - picture: A later one.
    ///   - history: What was seen up to it.
    ///   - onlyLiving: Only that which something alive will end.
    package func add(
        to picture: inout Picture, _ history: WaitHistory, onlyLiving: Bool = false
    ) {
        for (target, searched) in known
        where picture.holders[target] == nil && (searched.root != nil || !onlyLiving) {
            guard picture.time - searched.at < Self.lifetime else { continue }
            if case .continuation(let task) = target {
                guard let since = history.since(.task(task)), since <= searched.at else { continue }
            }
            picture.holders[target] =
                searched.root.map { Holders([$0], isWhole: false) } ?? Holders([], isWhole: true)
        }
    }

    /// Returns those of the targets in two pictures that are known to be lost: only nodes wait for
    /// them that waited then, and that have not moved since.
    package func lost(
        _ targets: [WaitTarget], in pictures: ComparedPictures
    ) -> [WaitTarget: Holders] {
        var lost: [WaitTarget: Holders] = [:]
        for target in targets {
            guard let searched = known[target], let before = searched.lostBy else { continue }
            let isSame = pictures.graph.waiters(for: target).allSatisfy { waiter in
                guard let since = pictures.process.history.since(waiter) else { return false }
                return before.contains(waiter) && since <= searched.at
            }
            if isSame { lost[target] = Holders([], isWhole: true) }
        }
        return lost
    }
}

extension Diagnosis {
    /// The searched targets that seem to have no potential waker: another search has to confirm
    /// that.
    package var endlessTargets: [WaitTarget] {
        var search = self.search
        return targets.filter { target in
            process.later.holders[target] != nil && search.expect(of: target) == .nothing
        }
    }

    fileprivate func hasNotMoved(_ target: WaitTarget) -> Bool {
        guard case .continuation(let task) = target else { return true }
        return process.unmovedTasks.contains(task)
    }
}
#endif
