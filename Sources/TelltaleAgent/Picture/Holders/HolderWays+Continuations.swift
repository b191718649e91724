#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// By what tasks that wait for a continuation are resumed.
extension HolderWays {
    /// By what a checked continuation is resumed; nil where one of these is no more: what led to it has been
    /// searched for, and its task waits by another one.
    func continuations(of target: WaitTarget, at node: Int) -> Set<UInt>? {
        guard case .continuation(let task) = target, isChecked(task) else { return [] }
        // It had a word that leads to the task when the memory was read.
        let found = incoming[node].lazy.map { graph.edge(Int($0)).holder }.filter {
            graph.kind($0) == .block && judge.isContinuation(word: graph.word($0))
        }.map { graph.start($0) }
        for start in found
        where !judge.isContinuation(
            of: task, word: GuardedMemory.load(UInt.self, at: start) ?? 0, at: start)
        {
            return nil
        }
        return Set(found)
    }

    /// Whether a word that leads to a task is a way to resume it: of a checked wait only what
    /// the runtime made for that, and not a mere handle, or what a thread has that is just resuming one.
    func leads(_ edge: HolderGraph.Edge, to target: WaitTarget) -> Bool {
        guard case .continuation(let task) = target, isChecked(task) else { return true }
        if graph.kind(edge.holder) == .thread {
            return resumingThreads.contains(Int32(truncatingIfNeeded: graph.start(edge.holder)))
        }
        return graph.kind(edge.holder) == .block
            && judge.isContinuation(
                of: task, word: graph.word(edge.holder), at: graph.start(edge.holder))
    }

    private func isChecked(_ task: UInt) -> Bool {
        judge.knowsContinuations && tasks[task].map(picture.isChecked) ?? false
    }
}

extension Picture {
    /// Whether a task waits in such a way that the runtime made an object by which alone it is resumed.
    func isChecked(_ task: TaskFacts) -> Bool {
        guard let frame = task.frames.first else { return false }
        return names[frame.address]?.contains {
            $0.function?.holds("withChecked") == true
        } ?? false
    }
}
#endif
