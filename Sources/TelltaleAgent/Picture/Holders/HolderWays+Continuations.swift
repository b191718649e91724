#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// The objects that resume tasks which wait for a continuation.
extension HolderWays {
    /// Returns the objects that resume a checked continuation; nil if one of them no longer does. In that
    /// case the search looked for the retainers of a stale object, and the task waits by another one.
    func continuations(of target: WaitTarget, at node: Int) -> Set<UInt>? {
        guard case .continuation(let task) = target, isChecked(task) else { return [] }
        // It contained a word that leads to the task when the memory was read.
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

    /// Returns true if a reference to a task is a way to resume it. For a checked wait, only the runtime's
    /// object for that purpose counts, or the stack of a thread that is just resuming a continuation; a
    /// mere task handle does not, unless cancelling the task runs a handler that may resume it: a task
    /// group's time-out is a child that ends, whereupon the parent cancels the others.
    func leads(_ edge: HolderGraph.Edge, to target: WaitTarget) -> Bool {
        guard case .continuation(let task) = target, isChecked(task) else { return true }
        if let facts = tasks[task], facts.hasCancellationHandler, !facts.isCancelled { return true }
        if graph.kind(edge.holder) == .thread {
            return resumingThreads.contains(Int32(truncatingIfNeeded: graph.start(edge.holder)))
        }
        // Memory of unknown layout may contain the runtime's object.
        if graph.kind(edge.holder) == .unknown { return true }
        return graph.kind(edge.holder) == .block
            && judge.isContinuation(
                of: task, word: graph.word(edge.holder), at: graph.start(edge.holder))
    }

    private func isChecked(_ task: UInt) -> Bool {
        judge.knowsContinuations && tasks[task].map(picture.isChecked) ?? false
    }
}

extension Picture {
    /// Returns true if a task waits in such a way that only the object that the runtime made for it can
    /// resume it.
    func isChecked(_ task: TaskFacts) -> Bool {
        guard let frame = task.frames.first else { return false }
        return names[frame.address]?.contains {
            $0.function?.holds("withChecked") == true
        } ?? false
    }
}

extension HolderWays {
    /// Returns true if a root certainly can make progress by itself. Other roots are left to the diagnosis.
    func lives(_ root: Holders.Root, others: Bool) -> Bool {
        switch root {
        case .timer, .source: true
        case .global, .event: others
        case .thread(let id): others && livingThreads.contains(id)
        case .task(let address): others && (tasks[address].map { lives($0) } ?? false)
        case .item, .object: false
        }
    }

    /// The type of an object; nil if the block is not an object.
    func typeName(of node: Int) -> String? {
        guard graph.kind(node) == .block else { return nil }
        return MetadataCheck.classOfObject(at: graph.start(node), in: .process).map {
            TypeNames.name(of: $0)
        }
    }

    /// A running task makes progress if its thread does, which may itself be waiting.
    private func lives(_ task: TaskFacts) -> Bool {
        guard task.state == .running else { return task.waitsFor == .timer }
        return runners[task.address].map { livingThreads.contains($0) } ?? true
    }
}
#endif
