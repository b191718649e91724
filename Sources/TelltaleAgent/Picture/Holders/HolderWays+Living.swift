#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

extension HolderWays {
    /// Whether somebody certainly may go on by itself. Of others it is for those to say who judge the waits.
    func lives(_ root: Holders.Root, others: Bool) -> Bool {
        switch root {
        case .timer, .source: true
        case .global, .event: others
        case .thread(let id): others && livingThreads.contains(id)
        case .task(let address): others && (tasks[address].map { lives($0) } ?? false)
        case .item, .object: false
        }
    }

    /// The type of an object; nil of what is none.
    func typeName(of node: Int) -> String? {
        guard graph.kind(node) == .block else { return nil }
        return MetadataCheck.classOfObject(at: graph.start(node), in: .process).map {
            TypeNames.name(of: $0)
        }
    }

    /// One that runs goes on if its thread does, which may wait itself.
    private func lives(_ task: TaskFacts) -> Bool {
        guard task.state == .running else { return task.waitsFor == .timer }
        return runners[task.address].map { livingThreads.contains($0) } ?? true
    }
}
#endif
