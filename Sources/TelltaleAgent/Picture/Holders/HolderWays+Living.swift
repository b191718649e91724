#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

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
