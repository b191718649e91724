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
    static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.tasks }

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
final class TextRanges: @unchecked Sendable {
    // Written in `init` alone.
    private let room = UnsafeMutableBufferPointer<CTelltaleTextRange>.allocate(capacity: 2048)
    let count: Int

    /// Those of now, which serve all who ask within ``LoadedImages/lifetime`` while the loader has loaded and
    /// unloaded nothing: reading them takes 0.6 ms in a debug build, and a capture asked for them three times.
    static var current: TextRanges {
        let mark = GuardedReading.during { ctelltale_objects_mark() }
        let began = MonotonicTime.now
        let latest = RuntimeCaches.current.latestText.withLock { $0 }
        if let latest, mark != 0, latest.mark == mark, began < latest.end { return latest.ranges }
        let ranges = TextRanges()
        // What was kept is let go outside of the lock.
        _ = RuntimeCaches.current.latestText.withLock { kept -> Latest? in
            defer {
                let end = began.advanced(by: LoadedImages.lifetime)
                kept = Latest(ranges: ranges, mark: mark, end: end)
            }
            return kept
        }
        return ranges
    }

    /// What was read last.
    struct Latest {
        fileprivate var ranges: TextRanges
        fileprivate var mark: UInt64
        fileprivate var end: MonotonicTime
    }

    private init() {
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

/// The threads of Swift concurrency, which are those of one concurrent queue on Linux.
enum SwiftPool {
    /// As `DispatchGlobalExecutor.cpp` of Swift 6.3 calls that queue.
    static let label = "Swift global concurrent queue"
}
#endif
