#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// Polls tasks that wait repeatedly. The runtime has no counter for a task's resumptions, and a resumed
/// task waits at the same address a moment later.
///
/// A poll notices tasks that are running or about to run, and tasks whose innermost functions have changed
/// their state.
struct TaskWatch {
    private let tasks: [(address: UInt, mark: Int)]

    /// The maximum number of watched tasks. The latest are watched: the service's own tasks wait forever,
    /// those of its clients make progress.
    private static let most = 64
    /// The time between two polls of a few tasks; polling one task takes some 5 µs in optimised builds, and
    /// 20 in others.
    private static let glance = Duration.microseconds(200)

    init(_ tasks: [TaskFacts]) {
        self.tasks = tasks.suffix(Self.most).map { ($0.address, $0.mark) }
    }

    /// Polls until `moment`, or until all tasks have moved.
    ///
    /// - Returns: The addresses of the tasks that have moved.
    func moved(until moment: MonotonicTime) -> Set<UInt> {
        guard let runtime = TaskRuntime.known, !tasks.isEmpty else { return [] }
        let reader = TaskReader(runtime: runtime, text: TextRanges.current, endings: [])
        var moved: Set<UInt> = []
        var rest = tasks
        repeat {
            // Uses at most a fifth of a core.
            let pause = Self.glance + .microseconds(50 * rest.count)
            _ = TimedCondition(false).wait(until: min(moment, .now.advanced(by: pause))) {
                $0 ? true : nil
            }
            rest.removeAll { address, mark in
                let now = reader.read(at: address, withFrames: false).reading?.facts
                let isSame =
                    now?.state == .suspended && now?.waitsFor == .continuation
                    && now?.mark == mark
                if !isSame { moved.insert(address) }
                return !isSame
            }
        } while .now < moment && !rest.isEmpty
        return moved
    }
}
#endif
