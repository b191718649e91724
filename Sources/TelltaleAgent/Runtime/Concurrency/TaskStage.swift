#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// Tasks and an actor in states that are known, made and ended on one thread.
final class TaskStage: Sendable {
    private actor Stage {
        private var passed = 0

        func hold(_ body: @Sendable () -> Void) { body() }

        // It has something to do here: optimised, nobody waits for an actor to do nothing.
        @inline(never) func pass() { passed &+= 1 }
    }

    /// Runs a task's jobs when it is told to.
    private final class StepExecutor: TaskExecutor {
        private let jobs = Locked<[UnownedJob]>([])
        private let descriptions = Locked<Set<String>>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let unowned = UnownedJob(job)
            // "UnownedJob(id: 12)"
            descriptions.withLock { _ = $0.insert(unowned.description) }
            jobs.withLock { $0.append(unowned) }
        }

        /// Runs what there is, and what that makes, at most `limit` jobs.
        func drain(limit: Int = 1000) {
            for _ in 0..<limit {
                let next = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                guard let next else { return }
                next.runSynchronously(on: asUnownedTaskExecutor())
            }
        }

        var seenIDs: Set<UInt64> {
            Set(
                descriptions.withLock { $0 }.compactMap { text in
                    UInt64(text.filter { $0 >= "0" && $0 <= "9" })
                })
        }
    }

    private struct State {
        var continuations: [UnsafeContinuation<Void, Never>] = []
        var child: UInt = 0
        var asyncLet: UInt = 0
        var running: UInt = 0
        var ended = 0
    }

    static let name = "telltale self-test"
    /// An address in the agent's own code.
    static var code: UnsafeRawPointer {
        unsafeBitCast(
            readMemory as @convention(c) (UInt, UnsafeMutableRawPointer, Int) -> Bool,
            to: UnsafeRawPointer.self)
    }

    private let stage = Stage()
    private let executorObject = StepExecutor()
    private let late = StepExecutor()
    private let resting = StepExecutor()
    private let state = Locked(State())
    private let tasks = Locked<[Task<Void, Never>]>([])

    var actor: UInt { UInt(bitPattern: Unmanaged.passUnretained(stage).toOpaque()) }
    var executor: UInt { UInt(bitPattern: Unmanaged.passUnretained(late).toOpaque()) }
    var seenIDs: Set<UInt64> {
        executorObject.seenIDs.union(late.seenIDs).union(resting.seenIDs)
    }
    /// Waits for its group.
    var owner: UInt { address(0) }
    /// Waits for a continuation, and is cancelled.
    var cancelled: UInt { address(1) }
    /// Waits for the cancelled one.
    var waiter: UInt { address(2) }
    /// Holds the actor.
    var running: UInt { state.withLock { $0.running } }
    /// Waits for the actor.
    var first: UInt { address(3) }
    /// Waits for the actor, came later and goes before.
    var second: UInt { address(4) }
    var unstarted: UInt { address(5) }
    var child: UInt { state.withLock { $0.child } }
    /// What an `async let` made.
    var asyncLet: UInt { state.withLock { $0.asyncLet } }
    /// Whether every task has ended.
    var isOver: Bool {
        let count = tasks.withLock { $0.count }
        return state.withLock { $0.ended == count }
    }

    private func address(_ index: Int) -> UInt {
        tasks.withLock { tasks in
            tasks.indices.contains(index) ? unsafeBitCast(tasks[index], to: UInt.self) : 0
        }
    }

    private func add(
        name: String? = nil, on executor: StepExecutor, priority: TaskPriority? = nil,
        _ body: @escaping @Sendable () async -> Void
    ) {
        let task = Task.detached(name: name, executorPreference: executor, priority: priority) {
            [state] in
            await body()
            state.withLock { $0.ended += 1 }
        }
        tasks.withLock { $0.append(task) }
    }

    /// Brings everything to its place, calls `read`, and lets everything end.
    func play(_ read: @escaping @Sendable () -> Void) {
        add(name: Self.name, on: executorObject, priority: .utility) { [state] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    state.withLock { $0.child = Self.current }
                    await Self.pause(state)
                }
                await group.waitForAll()
            }
        }
        add(on: executorObject) { [state] in await Self.pause(state) }
        tasks.withLock { $0.last }?.cancel()
        add(on: executorObject) { [tasks] in await tasks.withLock { $0[1] }.value }
        executorObject.drain()
        add(on: late) { [stage] in await stage.pass() }
        add(on: late, priority: .high) { [stage] in await stage.pass() }
        add(on: resting) {}
        add(on: executorObject) { [state] in
            async let pausing: Void = {
                state.withLock { $0.asyncLet = Self.current }
                await Self.pause(state)
            }()
            await pausing
        }
        executorObject.drain()
        add(on: executorObject) { [stage, state, late] in
            state.withLock { $0.running = Self.current }
            await stage.hold {
                late.drain()
                read()
            }
        }
        executorObject.drain()
        for continuation in state.withLock({ $0.continuations }) { continuation.resume() }
        for _ in 0..<8 {
            resting.drain()
            executorObject.drain()
            late.drain()
        }
    }

    private static func pause(_ state: Locked<State>) async {
        await withUnsafeContinuation { continuation in
            state.withLock { $0.continuations.append(continuation) }
        }
    }

    private static var current: UInt {
        withUnsafeCurrentTask { task in
            task.map { unsafeBitCast($0, to: UInt.self) } ?? 0
        }
    }
}

private let readMemory: @convention(c) (UInt, UnsafeMutableRawPointer, Int) -> Bool =
    ctelltale_read_memory
#endif
