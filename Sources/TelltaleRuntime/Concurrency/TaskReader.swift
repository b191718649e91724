#if TELLTALE_AGENT
package import CTelltaleSystem
package import TelltalePicture
import TelltaleSystem

/// Reads single tasks and actors by their addresses.
package final class TaskReader {
    /// The data of one task, and a value that only the table of tasks needs.
    package struct Reading {
        package var facts: TaskFacts
        /// The task for whose sleep this task may be the helper.
        package var sleeper: UInt?
    }

    private let runtime: CTelltaleTaskRuntime
    private let text: TextRanges
    private let endings: Set<UInt>
    private let tasks = UnsafeMutablePointer<CTelltaleTask>.allocate(capacity: atOnce)
    /// The task of the current batch that is being converted.
    private var task: UnsafeMutablePointer<CTelltaleTask>
    private var words = CTelltaleTaskFrames()
    private var lastFrames: [RawFrame] = []

    package init(runtime: CTelltaleTaskRuntime, text: TextRanges, endings: Set<UInt>) {
        self.runtime = runtime
        self.text = text
        self.endings = endings
        task = tasks
    }

    deinit { tasks.deallocate() }

    /// The number of tasks read in one batch. The kernel copies tasks that are near each other in one call.
    package static var atOnce: Int { Int(CTELLTALE_TASKS_AT_ONCE) }

    /// Returns true if the memory read can't be a task.
    package static func isImplausible(_ result: CTelltaleTaskResult) -> Bool {
        result == CTelltaleTaskImplausible
    }

    /// Returns true if the memory read is a task that has ended.
    package static func hasEnded(_ result: CTelltaleTaskResult) -> Bool {
        result == CTelltaleTaskComplete
    }

    /// Returns true if there is a heap block at an address, large enough for a task.
    package static func isPlausible(_ address: UInt) -> Bool {
        ctelltale_object_is_plausible(address, Int(ctelltale_task_layout.task_size), true)
    }

    /// Returns true if the word at `offset` in a block is left over from a function of a task that has
    /// ended. The block is then a task, or an allocation of a task, according to its first word.
    package func isLeftOver(_ word: UInt, at block: UInt, offset: UInt) -> Bool {
        withUnsafePointer(to: runtime) {
            ctelltale_task_is_left_over($0, block, word, block &+ offset)
        }
    }

    /// Reads one task.
    ///
    /// - Returns: The result, and the task if there is one that has not ended.
    package func read(
        at address: UInt, withFrames: Bool = true
    ) -> (result: CTelltaleTaskResult, reading: Reading?) {
        var outcome: (result: CTelltaleTaskResult, reading: Reading?) = (
            CTelltaleTaskImplausible, nil
        )
        read(at: [address], withFrames: withFrames) { outcome = ($1, $2) }
        return outcome
    }

    /// Reads up to ``atOnce`` tasks, and calls a body with each address and its result.
    package func read(
        at places: ArraySlice<UInt>, withFrames: Bool,
        _ body: (UInt, CTelltaleTaskResult, Reading?) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: CTelltaleTaskResult.self, capacity: Self.atOnce) {
            results in
            guard let first = results.baseAddress else { return }
            places.withUnsafeBufferPointer { addresses in
                guard let start = addresses.baseAddress else { return }
                withUnsafePointer(to: runtime) {
                    ctelltale_tasks_read(
                        $0, text.start, text.count, start, addresses.count, tasks, first)
                }
            }
            for (index, place) in places.enumerated() {
                task = tasks + index
                body(place, results[index], reading(results[index], at: place, withFrames))
            }
        }
    }

    private func reading(
        _ result: CTelltaleTaskResult, at address: UInt, _ withFrames: Bool
    ) -> Reading? {
        guard result == CTelltaleTaskRead || result == CTelltaleTaskMoving else { return nil }
        var facts = TaskFacts(address: address, id: task.pointee.id)
        facts.name = name
        facts.kind = kind
        facts.state = state
        facts.priority = task.pointee.priority
        facts.isCancelled = task.pointee.is_cancelled
        facts.isChild = task.pointee.parent != 0
        facts.hasCancellationHandler = task.pointee.has_cancellation_handler
        facts.isUnstarted = task.pointee.is_unstarted
        facts.waitsFor = wait
        let executor = task.pointee.preferred_executor
        facts.preferredExecutor = executor == 0 ? nil : executor
        facts.parent = task.pointee.parent == 0 ? nil : task.pointee.parent
        facts.frames = withFrames ? readFrames() : []
        facts.areFramesCut = task.pointee.are_frames_cut
        // The runtime keeps no progress counter of a task. A hash of the contexts of its innermost
        // functions is the best substitute.
        if facts.waitsFor == .continuation {
            facts.mark = Int(truncatingIfNeeded: task.pointee.mark)
        }
        facts.isMoving = result == CTelltaleTaskMoving
        let mayBeHelper =
            task.pointee.is_unstarted && facts.state == .suspended && facts.waitsFor == nil
        return Reading(
            facts: facts,
            sleeper: mayBeHelper && task.pointee.sleeper != 0 ? task.pointee.sleeper : nil)
    }

    private var name: String? {
        let length = Int(min(task.pointee.name_length, UInt32(CTELLTALE_TASK_NAME - 1)))
        guard length > 0 else { return nil }
        let isWhole = length == Int(task.pointee.name_length)
        return withUnsafePointer(to: &task.pointee.name) {
            $0.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
                HostLabel.shown(
                    String(
                        decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self),
                    isWhole: isWhole)
            }
        }
    }

    private var kind: TaskFacts.Kind {
        if task.pointee.is_group_child { return .groupChild }
        return task.pointee.is_async_let ? .asyncLet : .plain
    }

    private var state: TaskFacts.State {
        if task.pointee.is_running { return .running }
        return task.pointee.is_enqueued ? .enqueued : .suspended
    }

    private var wait: TaskFacts.Wait? {
        switch task.pointee.wait {
        case CTelltaleTaskWaitTask: .task(task.pointee.wait_target)
        case CTelltaleTaskWaitContinuation: .continuation
        case CTelltaleTaskWaitGroup: .group
        case CTelltaleTaskWaitExecutor: .executor(task.pointee.wait_target)
        default: nil
        }
    }

    /// A server's tasks wait at a few places in the code, so most tasks have the same frames as the one
    /// before. Such tasks share one array, which also makes comparing them fast.
    private func readFrames() -> [RawFrame] {
        guard ctelltale_task_take_frames(task, &words) else { return lastFrames }
        let count = Int(min(words.count, UInt32(CTELLTALE_TASK_FRAMES)))
        lastFrames = withUnsafePointer(to: &words.words) {
            $0.withMemoryRebound(to: UInt.self, capacity: count) { words in
                var frames: [RawFrame] = []
                frames.reserveCapacity(count)
                for index in 0..<count {
                    if index == count - 1, endings.contains(words[index]) { break }
                    frames.append(RawFrame(address: words[index], kind: .asyncResume))
                }
                return frames
            }
        }
        return lastFrames
    }
}
#endif
