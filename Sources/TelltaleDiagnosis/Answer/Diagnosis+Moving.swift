#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// Facts beside the findings: the longest wait, and the threads that use a core.
extension Diagnosis {
    /// The share of a core from which a thread is reported to use one.
    private static let busyShare = 0.8
    /// From this much on where it ran in both pictures: eight that spin on two cores have a quarter each.
    private static let sharedShare = 0.1
    private static let mostBusy = 3

    /// The longest wait with work to do: a thread in a queue's item or a task, the main thread, or
    /// a task that waits to be resumed; `nil` for none.
    var longest: StuckAnswer.Finding? {
        let waiting = process.later.threads.lazy.filter { thread in
            !thread.isAgent && !members.contains(.thread(thread.id))
                && thread.wait != .running && thread.wait != .idle && !thread.wait.isEventLoop
                && (!thread.held.isEmpty || thread.task != nil)
        }
        let oldest = waiting.compactMap { thread in
            age(ofThread: thread.id).map { (id: thread.id, age: $0) }
        }.max { $0.age < $1.age }
        let seconds = max(oldest?.age ?? 0, restingTask?.age ?? 0)
        guard seconds >= 1 else { return nil }
        if let task = restingTask, task.age == seconds {
            return StuckAnswer.Finding(
                .notResumed, .waits, seconds: seconds, parties: [process.party(task: task.address)],
                hope: task.hope)
        }
        guard let oldest else { return nil }
        var finding = StuckAnswer.Finding(
            .slow, .waits, seconds: seconds, parties: [process.brief(thread: oldest.id)])
        finding.evidence = nil
        return finding
    }

    /// Threads that have used a core between the pictures, or their part of one, the busiest first;
    /// and the number of further ones. For one picture alone it is the usage observed after it.
    var busy: (threads: [StuckAnswer.Busy], omitted: Int) {
        let busiest = (process.window > 0 ? sharesBetweenPictures : sharesAfter)
            .sorted { $0.value > $1.value }
        let named = busiest.prefix(Self.mostBusy).map {
            StuckAnswer.Busy(process.brief(thread: $0.key), share: min($0.value, 1))
        }
        return (named, busiest.count - named.count)
    }

    private var sharesBetweenPictures: [Int32: Double] {
        let earlier = Dictionary(process.earlier.threads.map { ($0.id, $0) }) { first, _ in first }
        var shares: [Int32: Double] = [:]
        for thread in process.later.threads where !thread.isAgent {
            guard let before = earlier[thread.id] else { continue }
            let share = (thread.processorTime - before.processorTime).inSeconds / process.window
            let ranOn = before.wait == .running && thread.wait == .running
            if share >= (ranOn ? Self.sharedShare : Self.busyShare) { shares[thread.id] = share }
        }
        return shares
    }

    /// Threads that may use a core: those running in the picture. Empty for two pictures, which
    /// tell it.
    package var mayBeBusy: [Int32] {
        guard process.window == 0 else { return [] }
        return process.later.threads.lazy.filter { !$0.isAgent && $0.wait == .running }.map(\.id)
    }

    /// Notes how much of a core each of these threads has used since the picture.
    package mutating func note(sharesAfter shares: [Int32: Double]) {
        sharesAfter = shares.filter { $0.value >= Self.sharedShare }
    }
}
#endif
