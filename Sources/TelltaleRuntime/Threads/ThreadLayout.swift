#if TELLTALE_AGENT
import CTelltaleSystem
import Dispatch
import TelltaleSystem

/// The thread-local slots in which Dispatch and the Swift runtime keep the queue and the task that a thread
/// runs.
///
/// No offset is built in. The slots are searched while work items and tasks of the agent itself run, all on
/// the calling thread. In Swift 6.3.1 the queue is 144 bytes below the thread pointer in a dynamic build,
/// and the task 48.
package struct ThreadLayout: CalibratedLayout {
    package enum Part: String, CaseIterable, Sendable {
        case queues = "the queue of a thread"
        case queueChains = "the queues below that of a thread"
        case tasks = "the task of a thread"
        case asyncCallers = "who waits for an async function"
    }

    package static let subject = "thread-local storage"
    package static let essential: Set<Part> = [.queues, .tasks]
    package static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.threads }

    package var failures: [Part: LayoutFailure] = [:]
    /// The offset from the thread pointer; 0 if unknown.
    var queueOffset = 0
    /// Dispatch keeps the chain's first frame next to the queue (`dispatch_frame_key`).
    var frameOffset = 0
    var taskOffset = 0
    /// The first word (isa) of a queue of ours. The first word of any other queue points into the same
    /// image.
    var queueKind: UInt = 0
    /// The first word of every task.
    var taskKind: UInt = 0
    /// The runtime's function that calls a task's functions. Async callers are resolved only if it is found
    /// on a stack.
    var jobRunner: UInt = 0

    package init() {}

    private static let elsewhere =
        "the word is not in the thread-local storage that programs and libraries have from their "
        + "start on"

    package mutating func selfTest() {
        findTask()
        findQueue()
    }

    /// The observation of one item or task while it ran: its own address as its runtime reports it, the
    /// object's first word, and the thread-local offsets that contain the address.
    private struct Sight: Sendable {
        var object: UInt
        var kind: UInt
        var offsets: [Int]
        var runner: UInt = 0
        var pointer = ctelltale_thread_pointer()

        init(_ object: UInt) {
            self.object = object
            kind = GuardedMemory.load(UInt.self, at: object) ?? 0
            offsets = [Int](unsafeUninitializedCapacity: 64) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                count = ctelltale_find_local(object, start, buffer.count)
            }
        }

        /// The offset at which both observations found their own object, and a thread that runs neither has
        /// 0.
        func offset(with other: Sight) -> Int? {
            guard object != 0, kind != 0, kind == other.kind else { return nil }
            return offsets.first { other.offsets.contains($0) && localWord(at: $0) == 0 }
        }
    }

    private static func localWord(at offset: Int) -> UInt? {
        GuardedMemory.load(
            UInt.self, at: ctelltale_thread_pointer() &+ UInt(bitPattern: offset))
    }

    // MARK: Queues

    private mutating func findQueue() {
        // On a private queue, `sync` runs its block at once on the calling thread.
        let outer = DispatchQueue(label: "telltale.layout.outer")
        let inner = DispatchQueue(label: "telltale.layout.inner")
        func sight() -> Sight { Sight(UInt(bitPattern: ctelltale_current_queue())) }
        let (first, second) = outer.sync { (sight(), inner.sync { sight() }) }
        guard let offset = first.offset(with: second) else {
            return fail(.queues, .queueChains, reason: Self.elsewhere)
        }
        queueOffset = offset
        queueKind = first.kind
        let next = offset + 8
        let (below, chain) = outer.sync {
            (
                Self.localWord(at: next),
                inner.sync { DispatchFrame(at: Self.localWord(at: next) ?? 0) }
            )
        }
        guard chain?.queue == first.object, let below, below != 0, chain?.next == below,
            Self.localWord(at: next) == 0
        else {
            return fail(
                .queueChains, reason: "the chain of two queues of our own was not read back")
        }
        frameOffset = next
    }

    // MARK: Tasks

    private mutating func findTask() {
        guard let first = Self.taskSight(), let second = Self.taskSight() else {
            return fail(.tasks, .asyncCallers, reason: "a task of our own did not run")
        }
        guard let offset = first.offset(with: second) else {
            return fail(.tasks, .asyncCallers, reason: Self.elsewhere)
        }
        taskOffset = offset
        taskKind = first.kind
        jobRunner = first.runner == second.runner ? first.runner : 0
        expect(
            jobRunner != 0, .asyncCallers, "the runtime's caller of tasks was not found on a stack")
    }

    private static func taskSight() -> Sight? {
        let here = CallersExecutor()
        let seen = Locked<Sight?>(nil)
        _ = Task.detached(executorPreference: here) {
            var sight = Sight(UInt(bitPattern: ctelltale_current_task()))
            sight.runner = ctelltale_find_job_runner()
            seen.withLock { $0 = sight }
        }
        here.runAll()
        return seen.withLock { $0 }
    }
}

/// A link of Dispatch's per-thread chain of current queues (`dispatch_thread_frame_s`).
struct DispatchFrame {
    var queue: UInt
    /// The next frame; 0 at the end of the chain.
    var next: UInt

    init?(at address: UInt, word: (UInt) -> UInt64? = { GuardedMemory.load(UInt64.self, at: $0) }) {
        guard address != 0, address & 7 == 0, let queue = word(address),
            let next = word(address &+ 8)
        else { return nil }
        self.queue = UInt(queue)
        self.next = UInt(next)
    }
}
#endif
