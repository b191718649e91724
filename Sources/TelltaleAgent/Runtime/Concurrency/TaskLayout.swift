#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// Whether tasks and actors lie in memory as tasks.c knows them from swift-6.3.1.
///
/// The runtime's exported marks have to have the values of that version; then a self-test reads
/// tasks of our own in known states. It is done once, at the first start, on a thread of the
/// agent's: later the thread pool may be wedged. What doesn't read back is off, with a reason.
struct TaskLayout: Sendable {
    /// What can be off by itself.
    enum Part: Hashable, Sendable, CaseIterable {
        case tasks, ids, names, states, priorities, cancellation, waits, tree, frames, actors
    }

    /// Why a part is off.
    let missing: [Part: String]
    /// The functions of the runtime that end a task: the last frame of each, of no use to anybody.
    let endings: Set<UInt>
    /// Whether the C library's mark of a block stands before an object.
    let hasChunks: Bool
    /// How far from a thread's pointer the runtime keeps what the thread runs on; 0 where it
    /// isn't known. What stands there is for `ctelltale_executor_of`.
    let executorSlot: Int

    /// The reason as answers give it; nil where the part is there.
    func reason(_ part: Part) -> String? {
        (missing[.tasks] ?? missing[part]).map { "not available: \($0)" }
    }

    func has(_ part: Part) -> Bool { missing[.tasks] == nil && missing[part] == nil }

    /// Everything is off.
    static func off(_ reason: String) -> TaskLayout {
        TaskLayout(
            missing: [.tasks: reason, .actors: reason], endings: [], hasChunks: false,
            executorSlot: 0)
    }

    // MARK: Once

    /// How long the self-test may take; it takes milliseconds.
    private static let patience = Duration.seconds(2)
    private static let learnt = Learnt<TaskLayout>()

    /// Begins the self-test unless that has been done.
    static func begin() {
        learnt.begin { _ in
            learnt.set(learn())
        } orFail: { _ in
            "no thread could be had to compare the runtime's layout"
        }
    }

    /// The layout; begins the self-test if nobody has, and waits for it.
    static func shared(until deadline: MonotonicTime) -> TaskLayout {
        begin()
        if let now { return now }
        let result = learnt.value(until: min(deadline, .now.advanced(by: patience)))
        return (try? result.get()) ?? now
            ?? .off("the runtime's layout has not been compared in time")
    }

    /// The layout, where it is known by now.
    static var now: TaskLayout? {
        switch learnt.now {
        case nil: nil
        case .success(let layout): layout
        case .failure(let reason): .off(reason.description)
        }
    }

    private static func learn() -> TaskLayout {
        #if os(Linux) && arch(x86_64)
        guard let runtime = TaskRuntime.known else {
            return .off(TaskRuntime.reason)
        }
        return TaskSelfTest(runtime: runtime).run()
        #else
        .off("only compared with the runtime of Linux on x86-64 so far")
        #endif
    }
}

/// What the runtime exports for debuggers, where it is what tasks.c was written for.
enum TaskRuntime {
    private static let exported: CTelltaleTaskRuntime? = {
        var runtime = CTelltaleTaskRuntime()
        return ctelltale_task_runtime(&runtime) ? runtime : nil
    }()

    /// nil for a version that isn't known.
    static let known: CTelltaleTaskRuntime? = exported.flatMap {
        $0.task_size == 208 && $0.layout_version == 1 && !$0.supports_escalation ? $0 : nil
    }

    /// Why ``known`` is nil.
    static var reason: String {
        guard let exported else {
            return "the Swift concurrency runtime exports no marks for debuggers"
        }
        return "this Swift concurrency runtime is another version than 6.3.1 (task size "
            + "\(exported.task_size), layout \(exported.layout_version))"
    }
}

/// Where code lies, so that a word can be told from a function; listed anew for each look.
final class TextRanges {
    private let room = UnsafeMutableBufferPointer<CTelltaleTextRange>.allocate(capacity: 2048)
    let count: Int

    init() {
        if let start = room.baseAddress {
            let size = room.count
            count = DescriptorReserve.shared.makingRoom(for: 1) {
                ctelltale_text_ranges(start, size)
            }
        } else {
            count = 0
        }
    }

    deinit { room.deallocate() }

    /// Valid as long as this object is.
    var start: UnsafePointer<CTelltaleTextRange> {
        UnsafePointer(room.baseAddress.unsafelyUnwrapped)
    }

    /// Which of the mappings an address is in.
    func index(of address: UInt) -> Int? {
        room.prefix(count).firstIndex { $0.from <= address && address < $0.to }
    }
}
#endif
