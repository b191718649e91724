#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// How tasks and actors lie in memory; see `tasks.c` for the offsets.
///
/// The runtime's exported marks have to have the values of swift-6.3.1; then a self-test reads tasks of
/// our own in known states.
struct TaskLayout: CalibratedLayout {
    enum Part: String, CaseIterable, Sendable {
        case tasks, ids, names, states, priorities, cancellation
        case waits = "what tasks wait for"
        case tree = "parents and children"
        case frames = "async backtraces"
        case allocations = "what a task has allocated"
        case actors
        case executors = "the actor of a thread"
    }

    static let subject = "tasks and actors"
    static let essential: Set<Part> = [.tasks, .states, .waits, .tree, .actors, .executors]
    static var calibration: Calibration<Self> { SharedState.current.layouts.tasks }

    var failures: [Part: LayoutFailure] = [:]
    var numbers = ctelltale_task_layout
    /// The functions of the runtime that end a task: the last frame of each, of no use to anybody.
    var endings: Set<UInt> = []
    /// Whether the C library's mark of a block stands before an object.
    var hasChunks = false
    /// How far from a thread's pointer the runtime keeps what the thread runs on; 0 where it
    /// isn't known. What stands there is for `ctelltale_executor_of`.
    var executorSlot = 0

    mutating func selfTest() {
        #if arch(x86_64)
        guard var runtime = TaskRuntime.known, runtime.task_size == numbers.task_size else {
            self = .off(TaskRuntime.reason)
            return
        }
        runtime.layout = numbers
        TaskSelfTest(runtime: runtime).run(&self)
        #else
        self = .off("only compared with the runtime on x86-64 so far")
        #endif
    }
}

/// What the runtime exports for debuggers, where it is what tasks.c was written for.
enum TaskRuntime {
    /// The word with which a task begins in memory; nil where the runtime is another one.
    static var firstWord: UInt? { known?.task_metadata }

    private static let exported: CTelltaleTaskRuntime? = {
        var runtime = CTelltaleTaskRuntime()
        return ctelltale_task_runtime(&runtime) ? runtime : nil
    }()

    /// nil for a version that isn't known.
    static let known: CTelltaleTaskRuntime? = exported.flatMap {
        $0.task_size == ctelltale_task_layout.task_size && $0.layout_version == 1
            && !$0.supports_escalation ? $0 : nil
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

    func index(of address: UInt) -> Int? {
        room.prefix(count).firstIndex { $0.from <= address && address < $0.to }
    }
}
#endif
