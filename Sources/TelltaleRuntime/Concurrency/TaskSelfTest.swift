#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleSystem

/// Reads tasks of our own in known states, and turns off the parts that don't read back.
///
/// Everything runs on the calling thread: the tasks prefer executors that this thread drains, so neither
/// the thread pool nor Dispatch is needed. At the end, every task has ended.
struct TaskSelfTest {
    private let runtime: CTelltaleTaskRuntime

    init(runtime: CTelltaleTaskRuntime) { self.runtime = runtime }

    func run(_ layout: inout TaskLayout) {
        let stage = TaskStage()
        let found = Locked<Findings?>(nil)
        // The last step runs on the actor, so that the actor and the task are observed while running.
        stage.play { [runtime] in
            let judged = Findings(stage: stage, runtime: runtime)
            found.withLock { $0 = judged }
        }
        guard var findings = found.withLock({ $0 }) else {
            layout = .off("the self-test's tasks did not come to rest")
            return
        }
        findings.judgeEnd(stage)
        layout = findings.layout
    }
}

private struct Findings {
    var layout: TaskLayout
    private let runtime: CTelltaleTaskRuntime

    init(stage: TaskStage, runtime: CTelltaleTaskRuntime) {
        self.runtime = runtime
        layout = TaskLayout()
        layout.numbers = runtime.layout
        let reader = TaskReader(runtime: runtime, text: TextRanges.current, endings: [])
        func read(_ address: UInt) -> TaskFacts? { reader.read(at: address).reading?.facts }
        guard let owner = read(stage.owner), let cancelled = read(stage.cancelled),
            let waiter = read(stage.waiter), let first = read(stage.first),
            let second = read(stage.second), let unstarted = read(stage.unstarted),
            let running = read(stage.running), let child = read(stage.child),
            let asyncLet = read(stage.asyncLet)
        else {
            layout = .off("a task of our own could not be read back")
            return
        }
        let all = [
            owner, cancelled, waiter, first, second, unstarted, running, child, asyncLet,
        ]
        expect(
            .ids,
            Set(all.map(\.id)).isSubset(of: stage.seenIDs)
                && Set(all.map(\.id)).count == all.count)
        expect(.names, owner.name == TaskStage.name && cancelled.name == nil)
        expect(
            .states,
            running.state == .running && first.state == .enqueued
                && unstarted.state == .enqueued && unstarted.isUnstarted
                && unstarted.frames.count == 1
                && [owner, cancelled, waiter, child].allSatisfy {
                    $0.state == .suspended && !$0.isUnstarted
                })
        expect(
            .priorities,
            owner.priority == TaskPriority.utility.rawValue
                && second.priority == TaskPriority.high.rawValue)
        expect(
            .cancellation,
            cancelled.isCancelled && all.allSatisfy { !$0.isCancelled || $0.id == cancelled.id }
                && child.hasCancellationHandler && !waiter.hasCancellationHandler)
        expect(
            .waits,
            owner.waitsFor == .group && cancelled.waitsFor == .continuation
                && waiter.waitsFor == .task(stage.cancelled)
                && first.waitsFor == .executor(stage.actor) && running.waitsFor == nil
                && first.preferredExecutor == stage.executor)
        expect(
            .tree,
            child.parent == stage.owner && child.kind == .groupChild && owner.parent == nil
                && owner.kind == .plain && asyncLet.kind == .asyncLet && asyncLet.isChild)
        expect(
            .allocations,
            [stage.owner, stage.asyncLet].contains {
                var runtime = runtime
                return ctelltale_task_allocated(&runtime, $0)
            })
        judgeFrames([cancelled, waiter, child, owner, asyncLet])
        judgeActor(stage)
    }

    private mutating func expect(_ part: TaskLayout.Part, _ isKnown: Bool) {
        layout.expect(isKnown, part, "the self-test read something else than it had staged")
    }

    // Every task resumes in code of ours at some frame, and its last frame is a function of the runtime
    // that ends it.
    private mutating func judgeFrames(_ tasks: [TaskFacts]) {
        let text = TextRanges.current
        let ours = text.index(of: UInt(bitPattern: TaskStage.code))
        expect(
            .frames,
            ours != nil
                && tasks.allSatisfy { task in
                    task.frames.count > 1
                        && task.frames.contains { text.index(of: $0.address) == ours }
                })
        layout.endings = Set(tasks.compactMap { $0.frames.last?.address })
    }

    private mutating func judgeActor(_ stage: TaskStage) {
        let reading = ActorReader.read(at: stage.actor, as: runtime.layout)
        expect(
            .actors,
            reading?.state == .running && reading?.jobs == [stage.second, stage.first]
                && ctelltale_object_is_plausible(
                    stage.actor, Int(runtime.layout.actor_size), false)
        )
        layout.hasChunks = ctelltale_object_is_plausible(
            stage.actor, Int(runtime.layout.actor_size), true)
        layout.executorSlot = ctelltale_executor_slot(stage.actor)
        layout.expect(
            layout.executorSlot != 0, .executors,
            "the word is not in the thread-local storage that programs and libraries have from "
                + "their start on")
    }

    /// Must be called after the stage has been left.
    mutating func judgeEnd(_ stage: TaskStage) {
        guard layout.has(.tasks) else { return }
        guard stage.isOver else {
            layout = .off("the self-test's tasks did not end")
            return
        }
        let reader = TaskReader(runtime: runtime, text: TextRanges.current, endings: [])
        expect(.states, reader.read(at: stage.owner).result == CTelltaleTaskComplete)
        expect(.actors, ActorReader.read(at: stage.actor, as: runtime.layout)?.state == .idle)
    }
}
#endif
