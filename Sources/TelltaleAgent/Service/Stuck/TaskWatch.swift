#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// Looks at tasks that wait again and again: the runtime counts no turns of a task, and one that was
/// resumed waits at the same place a moment later.
///
/// It sees those that run or are about to when it looks, and those whose innermost functions have something
/// else in hand.
struct TaskWatch {
    private let tasks: [(address: UInt, mark: Int)]

    /// More are not watched. The latest are: a service's own wait for good, those of its clients go on.
    private static let most = 64
    /// Between two looks at a few; each look at one takes some 5 µs optimised, and 20 else.
    private static let glance = Duration.microseconds(200)

    init(_ tasks: [TaskFacts]) {
        self.tasks = tasks.suffix(Self.most).map { ($0.address, $0.mark) }
    }

    /// Looks until then, or until all have moved.
    ///
    /// - Returns: Those that have moved.
    func moved(until moment: MonotonicTime) -> Set<UInt> {
        guard let runtime = TaskRuntime.known, !tasks.isEmpty else { return [] }
        let reader = TaskReader(runtime: runtime, text: TextRanges.current, endings: [])
        var moved: Set<UInt> = []
        var rest = tasks
        repeat {
            // A fifth of a core at most.
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
