#if TELLTALE_AGENT
import CTelltaleSystem
import Dispatch
import TelltaleSystem

/// Where Dispatch and the Swift runtime keep, in each thread's local storage, the queue and the task
/// that it runs.
///
/// Learnt from a queue and a task of the agent's own; checked against Swift 6.3.1, where the queue
/// lies 144 bytes below the thread pointer in a dynamic build and the task 48.
struct LocalStorageLayout: Sendable {
    /// From the thread pointer.
    var queueOffset: Int?
    var taskOffset: Int?
    /// The first word of a queue of ours: that of any other lies in the same image.
    var queueKind: UInt = 0
    /// The first word of every task.
    var taskKind: UInt = 0
    /// The function of the runtime that calls a task's functions: async callers are told where it is
    /// met on a stack. 0 where it was not found.
    var jobRunner: UInt = 0
    /// Why there is no offset.
    var queueReason: String?
    var taskReason: String?

    static let learnt = Learnt<LocalStorageLayout>()

    /// Begins to learn it, unless that has been done, on a thread of its own: Dispatch may keep it
    /// waiting. A forked child has what its parent knew; what the parent was learning is begun anew.
    static func begin() {
        learnt.begin { isChild in
            learn(isChild: isChild)
        } orFail: { error in
            "no thread could be had to learn it: \(error)"
        }
    }

    private static func learn(isChild: Bool) {
        var layout = LocalStorageLayout()
        layout.learnTask()
        if isChild {
            // Its Dispatch counts on threads that only its parent has.
            layout.queueReason = "the parent had not learnt it by the fork"
        } else {
            // The task needs nobody but this thread; it is there even if Dispatch has no thread left.
            layout.learnQueue()
        }
        learnt.set(layout)
    }

    // MARK: Queues

    /// What one item or task saw while it ran: itself as its runtime says it, the object's first word,
    /// and where the storage holds it.
    private struct Sight: Sendable {
        var object: UInt
        var kind: UInt
        var offsets: [Int]
        var runner: UInt = 0

        init(_ object: UInt) {
            self.object = object
            kind = GuardedMemory.load(UInt.self, at: object) ?? 0
            offsets = LocalStorageLayout.offsets(of: object)
        }
    }

    private mutating func learnQueue() {
        guard let first = Self.sight("telltale.learn-1"),
            let second = Self.sight("telltale.learn-2")
        else {
            queueReason = "Dispatch ran no item of a queue of the agent's within 5 s"
            return
        }
        // Where both items have their own queue, and a thread that runs no item nothing.
        let common = first.offsets.filter { second.offsets.contains($0) }
        let offset = common.first { Self.localWord(at: $0) == 0 }
        guard first.object != 0, first.kind != 0, first.kind == second.kind, let offset
        else {
            queueReason =
                "Dispatch's word is not in the thread-local storage that programs and libraries have "
                + "from their start on"
            return
        }
        queueOffset = offset
        queueKind = first.kind
    }

    private static func sight(_ label: String) -> Sight? {
        let seen = TimedCondition<Sight?>(nil)
        DispatchQueue(label: label).async {
            let sight = Sight(UInt(bitPattern: ctelltale_current_queue()))
            seen.update { $0 = sight }
        }
        return seen.wait(until: MonotonicTime.now.advanced(by: .seconds(5))) { $0 }
    }

    // MARK: Tasks

    /// Runs the jobs of a task on the thread that calls it.
    private final class Here: TaskExecutor {
        private let jobs = Locked<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
        }

        func runAll() {
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    private mutating func learnTask() {
        let first = Self.taskSight()
        let second = Self.taskSight()
        guard let first, let second, first.object != 0, first.kind == second.kind else {
            taskReason = "a task of the agent's did not run"
            return
        }
        let common = first.offsets.filter { second.offsets.contains($0) }
        guard let offset = common.first(where: { Self.localWord(at: $0) == 0 }) else {
            taskReason =
                "the runtime's word is not in the thread-local storage that programs and libraries "
                + "have from their start on"
            return
        }
        taskOffset = offset
        jobRunner = first.runner == second.runner ? first.runner : 0
        taskKind = first.kind
    }

    private static func taskSight() -> Sight? {
        let here = Here()
        let seen = Locked<Sight?>(nil)
        _ = Task.detached(executorPreference: here) {
            var sight = Sight(UInt(bitPattern: ctelltale_current_task()))
            sight.runner = ctelltale_find_job_runner()
            seen.withLock { $0 = sight }
        }
        here.runAll()
        return seen.withLock { $0 }
    }

    // MARK: The storage

    private static func offsets(of word: UInt) -> [Int] {
        [Int](unsafeUninitializedCapacity: 64) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = ctelltale_find_local(word, start, buffer.count)
        }
    }

    private static func localWord(at offset: Int) -> UInt? {
        GuardedMemory.load(
            UInt.self, at: ctelltale_thread_pointer() &+ UInt(bitPattern: offset))
    }
}
#endif
