#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// What is no finding and good to know: who waits the longest, and who uses a core.
extension Diagnosis {
    /// From this much of a core on a thread is said to use one.
    private static let busyShare = 0.8
    private static let mostBusy = 3

    /// Who waits the longest with something to do: a thread in a queue's item or a task, the main thread,
    /// or a task that waits to be resumed; nil where nobody does.
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

    /// Threads that have used a core between the pictures.
    var busy: [StuckAnswer.Busy] {
        guard process.window > 0 else { return [] }
        let earlier = Dictionary(process.earlier.threads.map { ($0.id, $0.processorTime) }) {
            first, _ in first
        }
        return process.later.threads.lazy.filter { !$0.isAgent }.compactMap { thread in
            guard let before = earlier[thread.id] else { return nil }
            let share = (thread.processorTime - before).inSeconds / process.window
            return share >= Self.busyShare
                ? StuckAnswer.Busy(process.brief(thread: thread.id), share: min(share, 1)) : nil
        }.sorted { $0.share > $1.share }.prefix(Self.mostBusy).map { $0 }
    }
}
#endif
