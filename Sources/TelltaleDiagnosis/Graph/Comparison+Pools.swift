#if TELLTALE_AGENT
import TelltalePicture

/// The threads of pools, and the time for which a pool has served no work.
extension Comparison {
    /// The pool of Swift concurrency, which is a queue; nil until a task has run.
    var swiftPool: QueueFacts? { later.swiftPool.flatMap { queues[$0] } }

    /// The threads of a pool; `nil` if one of them runs, has no work, or has just continued.
    ///
    /// If all of a pool's threads are blocked, Dispatch adds one a second: a newcomer that has
    /// blocked at once is one of them, and one that is just beginning says nothing yet.
    func blockedThreads(ofPool queue: QueueFacts) -> [Int32]? {
        let all = poolThreads(queue).filter { $0.wait != .running || !isNewcomer($0) }
        guard !all.isEmpty,
            all.allSatisfy({ thread in
                guard thread.wait != .idle, thread.wait != .running else { return false }
                return unmovedThreads.contains(thread.id) || isNewcomer(thread)
            })
        else { return nil }
        return all.map(\.id).sorted()
    }

    // A thread whose frames of Dispatch don't tell its root queue is known by its name: Dispatch
    // names its threads for the root queue that they belong to, and the kernel keeps the last
    // fifteen bytes.
    private func poolThreads(_ queue: QueueFacts) -> [ThreadFacts] {
        guard queue.kind == .global else {
            return (holders[queue.address] ?? []).compactMap { threads[$0] }
        }
        return later.threads.filter { thread in
            guard !thread.isAgent, !thread.wait.isEventLoop else { return false }
            let roots = thread.held.filter { queues[$0]?.kind == .global }
            if !roots.isEmpty { return roots.contains(queue.address) }
            return thread.name.utf8.count == 15 && queue.label.hasSuffix(thread.name)
        }
    }

    /// Grace period, in seconds after thread creation, during which a thread's first block does not
    /// count as idle.
    private static let youth = 1.0

    private func isNewcomer(_ thread: ThreadFacts) -> Bool {
        thread.age.map { $0 <= window + Self.youth } ?? false
    }

    // MARK: The time for which one has served no work

    /// Dispatch makes no more threads than these for a root queue (`DISPATCH_WORKQ_MAX_PTHREAD_COUNT`).
    private static let mostThreads = 255
    /// Dispatch looks at its pools every second; with two busy cores that is late at times.
    private static let growth = 0.5...2.5

    /// The time that a pool has released none of its threads while work was there for them; `nil`
    /// if that isn't so.
    ///
    /// An item that has only just come says nothing against a pool: in a second it gets a thread of
    /// its own. Waiting work is proven by an item that was seen before, or by one thread a second
    /// that Dispatch has added for it, each of which has blocked in its first item.
    ///
    /// - Parameters:
    ///   - pool: The pool's queue.
    ///   - threads: Its threads, all of them blocked, with the time that each of them is.
    ///   - waited: For how long something has been seen to wait for it.
    /// - Returns: In seconds.
    func standing(
        ofPool pool: QueueFacts, _ threads: [(id: Int32, rested: Double)], waited: Double
    ) -> Double? {
        let births = threads.map { self.threads[$0.id]?.age ?? .infinity }
        let isFull = pool.kind != .global || threads.count >= Self.mostThreads
        let full = isFull ? threads.map(\.rested).min() ?? 0 : 0
        let worked = max(waited, Self.growing(births), full)
        // The longest time in which none has come back: each has stood for it, or was born in it.
        let moments = threads.map(\.rested).filter { $0 <= worked } + [worked]
        return moments.filter { time in
            threads.contains { $0.rested >= time }
                && zip(threads, births).allSatisfy { thread, born in
                    thread.rested >= time
                        || (born < time && born - thread.rested <= Self.youth)
                }
        }.max()
    }

    /// The time during which a thread has been added each second.
    private static func growing(_ births: [Double]) -> Double {
        var time = 0.0
        for birth in births.sorted() {
            let gap = birth - time
            guard gap <= growth.upperBound, time == 0 || gap >= growth.lowerBound else { break }
            time = birth
        }
        return time
    }
}
#endif
