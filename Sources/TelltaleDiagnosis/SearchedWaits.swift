#if TELLTALE_AGENT
package import TelltalePicture

/// Waits that something alive was found to end some day, and by what, and those to which nothing leads: a
/// probe that comes every few seconds need not search the memory for the same each time.
///
/// It accuses nobody: who is known so is judged by each picture anew (a thread that has come to rest, or a
/// timer that was cancelled, is hope no more), and what may be a finding then is searched for again.
/// Whether it is still he who leads there is looked at again after a minute.
package struct SearchedWaits: Sendable {
    private struct Searched: Sendable {
        /// Something alive; nil where nothing at all leads there.
        var root: Holders.Root?
        /// The moment of the picture in which it was found.
        var at: Duration
    }

    private static let lifetime = Duration.seconds(60)
    /// More than these are not remembered; each takes some 100 bytes.
    private static let most = 20_000
    private var known: [WaitTarget: Searched] = [:]

    package init() {}

    /// Remembers what a diagnosis has found after a search.
    package mutating func keep(_ diagnosis: Diagnosis) {
        let process = diagnosis.process
        let time = process.later.time
        known = known.filter { time - $0.value.at < Self.lifetime }
        for target in diagnosis.targets {
            guard let holders = process.later.holders[target] else { continue }
            known[target] = nil
            guard known.count < Self.most else { continue }
            var search = ProspectSearch(process: process)
            let living = holders.roots.first { search.isHope($0, of: target) }
            if living != nil || (holders.isWhole && holders.roots.isEmpty) {
                known[target] = Searched(root: living, at: time)
            }
        }
    }

    /// Adds what is known of the waits in a picture: of a task's, if it has not gone on since.
    package func add(to picture: inout Picture, _ history: WaitHistory) {
        for (target, searched) in known where picture.holders[target] == nil {
            guard picture.time - searched.at < Self.lifetime else { continue }
            if case .continuation(let task) = target {
                guard let since = history.since(.task(task)), since <= searched.at else { continue }
            }
            picture.holders[target] =
                searched.root.map { Holders([$0], isWhole: false) } ?? Holders([], isWhole: true)
        }
    }
}
#endif
