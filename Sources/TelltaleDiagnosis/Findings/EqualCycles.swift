#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// Cycles that are one mistake made many times: two tasks of each of fifty requests await each other.
///
/// They are alike where each of them has, one after another, the same kind of party at the same place,
/// which waits for the same kind of thing. Names of tasks and addresses of locks tell requests apart and
/// not mistakes; labels of queues and types of actors are read by a person, so that they count.
extension Comparison {
    /// Longer ones are the only ones of their kind.
    private static let longestCompared = 16

    /// Returns the shape of a cycle, normalised so that it doesn't depend on the starting node;
    /// `nil` for a cycle that is unlike any other.
    func shape(ofCycle cycle: [WaitForGraph.Node]) -> [String]? {
        guard cycle.count <= Self.longestCompared else { return nil }
        let parts = cycle.map { shape(of: $0) }
        return parts.indices.map { Array(parts[$0...] + parts[..<$0]) }
            .min { $0.lexicographicallyPrecedes($1) }
    }

    private func shape(of node: WaitForGraph.Node) -> String {
        switch node {
        case .thread(let id): threads[id].map { shape(of: $0) } ?? "a thread"
        case .task(let address):
            tasks[address].map { task in
                let frames = task.frames.flatMap { later.names[$0.address] ?? [] }
                return "task, cancelled \(task.isCancelled), in \(place(frames.hostFrame))"
            } ?? "a task"
        case .lock: "lock \(subject(node).name.prefix { $0 != " " })"
        case .semaphore: "semaphore"
        case .group: "group"
        case .condition: "condition"
        case .queue, .pool, .actor, .operation: subject(node).name
        }
    }

    private func shape(of thread: ThreadFacts) -> String {
        // A task's name is its own.
        let work = work(of: thread).map { $0.kind == .task ? "a task" : $0.name }
        return
            "thread, main \(thread.isMain), for \(work ?? "itself"), in \(place(thread.hostFrame))"
    }

    private func place(_ frame: ResolvedFrame?) -> String {
        "\(frame?.title ?? "") \(frame?.file ?? "") \(frame?.line ?? 0)"
    }
}
#endif
