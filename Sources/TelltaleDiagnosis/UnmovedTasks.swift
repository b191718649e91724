#if TELLTALE_AGENT
import TelltalePicture

/// Tasks that have not moved between two pictures.
struct UnmovedTasks: Sendable {
    private let known: Set<UInt>
    /// For one picture alone, the set holds the exceptions: a set of 50,000 takes longer than all
    /// queries.
    private let isAllBut: Bool
    let count: Int

    static func these(_ tasks: Set<UInt>) -> UnmovedTasks {
        UnmovedTasks(known: tasks, isAllBut: false, count: tasks.count)
    }

    static func all(but moved: Set<UInt>, of picture: Picture) -> UnmovedTasks {
        UnmovedTasks(known: moved, isAllBut: true, count: picture.tasks.count)
    }

    /// Returns whether a task of the later picture has not moved.
    func contains(_ task: UInt) -> Bool { known.contains(task) != isAllBut }
}
#endif
