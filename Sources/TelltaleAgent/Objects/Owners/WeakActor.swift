#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// A weak reference to an actor.
final class WeakActor: @unchecked Sendable {
    // Follows the rules of `Weak`, which can't store an existential.
    private weak var object: (any Actor)?
    /// The identity of the actor, readable without a reference to it. Another actor may reuse it after this
    /// one is freed.
    let identity: ObjectIdentifier

    init(_ actor: any Actor) {
        object = actor
        identity = ObjectIdentifier(actor)
    }

    /// The actor, for a task of the host's code, which releases it as the host's own tasks would.
    func retained() -> (any Actor)? { object }

    /// Runs `body` and then `leave` on the actor, or on the calling thread if the actor is gone, and waits
    /// for both until `deadline`. After the deadline they still run later.
    func run(
        workers: WorkerPool, until deadline: MonotonicTime,
        _ body: @escaping @Sendable () -> Void, _ leave: @escaping @Sendable () -> Void
    ) {
        guard let turn = makeTurn() else {
            body()
            return leave()
        }
        let executor = WorkerExecutor(workers: workers)
        let flag = DoneFlag()
        Task.detached(executorPreference: executor) {
            // On this thread the actor first runs the other jobs in its queue, as long as there are any, and
            // only then what follows: the next access may get the actor before.
            await turn {
                NativeThread.own(body)
                leave()
            }
            flag.set()
            executor.wake()
        }
        executor.run(until: deadline) { flag.isSet }
    }

    // A separate function, so that none of its references is left when the thread waits.
    private func makeTurn() -> (@Sendable (@Sendable () -> Void) async -> Void)? {
        guard let actor = object else { return nil }
        let executor = actor.unownedExecutor
        // The first of the executor's two words is the object that runs the jobs.
        let runs = unsafeBitCast(executor, to: (UInt, UInt).self).0
        if runs != UInt(bitPattern: ObjectIdentifier(actor)) {
            let visitor = Visitor(of: actor, on: executor)
            return { body in await visitor.run(body) }
        }
        // The actor runs its jobs itself, and the runtime does not survive an actor that is freed during its
        // own job. So the reference is released where a host's own `await` would release it.
        return { body in await isolated(to: actor, body) }
    }
}

private func isolated(to actor: isolated any Actor, _ body: @Sendable () -> Void) { body() }

/// Runs a job on the custom executor of another actor, and releases that actor there: on a queue or a thread
/// of the host's, which the actor's `deinit` may demand.
private actor Visitor {
    private let executor: UnownedSerialExecutor
    private var actor: (any Actor)?
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

    init(of actor: any Actor, on executor: UnownedSerialExecutor) {
        self.executor = executor
        self.actor = actor
    }

    func run(_ body: @Sendable () -> Void) {
        body()
        actor = nil
    }
}

/// A flag that a task sets and its executor reads.
final class DoneFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
#endif
