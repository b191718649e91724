#if TELLTALE_AGENT
package import CTelltaleSystem
import TelltaleSystem

/// The layout of tasks and actors in memory; see `tasks.c` for the offsets.
///
/// The runtime's exported debugger symbols must have the values of swift-6.3.1. Then a self-test reads
/// tasks of our own in known states.
package struct TaskLayout: CalibratedLayout {
    package enum Part: String, CaseIterable, Sendable {
        case tasks, ids, names, states, priorities, cancellation
        case waits = "what tasks wait for"
        case tree = "parents and children"
        case frames = "async backtraces"
        case allocations = "what a task has allocated"
        case actors
        case executors = "the actor of a thread"
    }

    package static let subject = "tasks and actors"
    package static let essential: Set<Part> = [.tasks, .states, .waits, .tree, .actors, .executors]
    package static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.tasks }

    package var failures: [Part: LayoutFailure] = [:]
    var numbers = ctelltale_task_layout
    /// The runtime's functions that end a task. One of them is the last frame of each task, and is not
    /// shown.
    package var endings: Set<UInt> = []
    /// True if the C library's chunk header precedes an object.
    var hasChunks = false
    /// The offset from the thread pointer of the runtime's executor tracking slot; 0 if unknown. Its value
    /// is decoded by `ctelltale_executor_of`.
    var executorSlot = 0

    package init() {}

    package mutating func selfTest() {
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

/// The data that the runtime exports for debuggers, if the runtime is the version for which tasks.c was
/// written.
package enum TaskRuntime {
    /// The first word (isa) of every task; nil for another version of the runtime.
    package static var firstWord: UInt? { known?.task_metadata }

    private static let exported: CTelltaleTaskRuntime? = {
        var runtime = CTelltaleTaskRuntime()
        return ctelltale_task_runtime(&runtime) ? runtime : nil
    }()

    /// nil for an unknown version.
    package static let known: CTelltaleTaskRuntime? = exported.flatMap {
        $0.task_size == ctelltale_task_layout.task_size && $0.layout_version == 1
            && !$0.supports_escalation ? $0 : nil
    }

    /// The reason why ``known`` is nil.
    package static var reason: String {
        guard let exported else {
            return "the Swift concurrency runtime exports no marks for debuggers"
        }
        return "this Swift concurrency runtime is another version than 6.3.1 (task size "
            + "\(exported.task_size), layout \(exported.layout_version))"
    }
}

/// The address ranges of executable code, which distinguish a function's address from another word.
package final class TextRanges: @unchecked Sendable {
    // Written only in `init`.
    private let room = UnsafeMutableBufferPointer<CTelltaleTextRange>.allocate(capacity: 2048)
    package let count: Int

    /// The current ranges. They are shared by all callers within ``LoadedImages/lifetime`` while the loader
    /// has loaded and unloaded nothing: reading them takes 0.6 ms in a debug build, and a capture asked for
    /// them three times.
    package static var current: TextRanges {
        let mark = GuardedReading.during { ctelltale_objects_mark() }
        let began = MonotonicTime.now
        let latest = RuntimeCaches.current.latestText.withLock { $0 }
        if let latest, mark != 0, latest.mark == mark, began < latest.end { return latest.ranges }
        let ranges = TextRanges()
        // The replaced ranges are released outside of the lock.
        _ = RuntimeCaches.current.latestText.withLock { kept -> Latest? in
            defer {
                let end = began.advanced(by: LoadedImages.lifetime)
                kept = Latest(ranges: ranges, mark: mark, end: end)
            }
            return kept
        }
        return ranges
    }

    /// The latest ranges, and their validity.
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

    /// Valid only during the lifetime of this object.
    var start: UnsafePointer<CTelltaleTextRange> {
        UnsafePointer(room.baseAddress.unsafelyUnwrapped)
    }

    func index(of address: UInt) -> Int? {
        room.prefix(count).firstIndex { $0.from <= address && address < $0.to }
    }
}

/// The thread pool of Swift concurrency. On Linux, its threads are those of one concurrent queue of
/// Dispatch.
package enum SwiftPool {
    /// The label of that queue in `DispatchGlobalExecutor.cpp` of Swift 6.3.
    package static let label = "Swift global concurrent queue"
}
#endif
