#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// Tasks and an actor in known states, created and ended on one thread.
final class TaskStage: Sendable {
    private actor Stage {
        private var passed = 0

        func hold(_ body: @Sendable () -> Void) { body() }

        // Changes state, because an optimised program does not wait for an actor to do nothing.
        @inline(never) func pass() { passed &+= 1 }
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
    private let executorObject = CallersExecutor()
    private let late = CallersExecutor()
    private let resting = CallersExecutor()
    private let state = Locked(State())
    private let tasks = Locked<[Task<Void, Never>]>([])

    var actor: UInt { UInt(bitPattern: Unmanaged.passUnretained(stage).toOpaque()) }
    var executor: UInt { UInt(bitPattern: Unmanaged.passUnretained(late).toOpaque()) }
    var seenIDs: Set<UInt64> {
        executorObject.seenIDs.union(late.seenIDs).union(resting.seenIDs)
    }
    /// Waits for its task group.
    var owner: UInt { address(0) }
    /// Waits for a continuation, and is cancelled.
    var cancelled: UInt { address(1) }
    /// Waits for the cancelled task.
    var waiter: UInt { address(2) }
    /// Runs on the actor.
    var running: UInt { state.withLock { $0.running } }
    /// Waits for the actor.
    var first: UInt { address(3) }
    /// Waits for the actor: enqueued later than `first`, but runs earlier because of its priority.
    var second: UInt { address(4) }
    var unstarted: UInt { address(5) }
    /// The child task of a group, which has a cancellation handler.
    var child: UInt { state.withLock { $0.child } }
    /// The child task of an `async let`.
    var asyncLet: UInt { state.withLock { $0.asyncLet } }
    /// True if every task has ended.
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
        name: String? = nil, on executor: CallersExecutor, priority: TaskPriority? = nil,
        _ body: @escaping @Sendable () async -> Void
    ) {
        let task = Task.detached(name: name, executorPreference: executor, priority: priority) {
            [state] in
            await body()
            state.withLock { $0.ended += 1 }
        }
        tasks.withLock { $0.append(task) }
    }

    /// Brings every task into its state, calls `read`, and lets all of them end.
    func play(_ read: @escaping @Sendable () -> Void) {
        add(name: Self.name, on: executorObject, priority: .utility) { [state] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    state.withLock { $0.child = Self.current }
                    await withTaskCancellationHandler {
                        await Self.pause(state)
                    } onCancel: {
                    }
                }
                await group.waitForAll()
            }
        }
        add(on: executorObject) { [state] in await Self.pause(state) }
        tasks.withLock { $0.last }?.cancel()
        add(on: executorObject) { [tasks] in await tasks.withLock { $0[1] }.value }
        executorObject.runAll()
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
        executorObject.runAll()
        add(on: executorObject) { [stage, state, late] in
            state.withLock { $0.running = Self.current }
            await stage.hold {
                late.runAll()
                read()
            }
        }
        executorObject.runAll()
        for continuation in state.withLock({ $0.continuations }) { continuation.resume() }
        for _ in 0..<8 {
            resting.runAll()
            executorObject.runAll()
            late.runAll()
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
