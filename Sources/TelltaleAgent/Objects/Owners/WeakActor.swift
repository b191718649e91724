#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// An actor that is not kept alive.
final class WeakActor: @unchecked Sendable {
    // As in `Weak`, of which an existential can't be the object.
    private weak var object: (any Actor)?
    /// Which actor it is or was, told without a reference to it. Another may have it afterwards.
    let identity: ObjectIdentifier

    init(_ actor: any Actor) {
        object = actor
        identity = ObjectIdentifier(actor)
    }

    /// The actor, for a task of the host's code, which lets it go as the host's own would.
    func retained() -> (any Actor)? { object }

    /// Runs `body` on the actor, or here where that is gone, then `leave`, and waits for both until
    /// `deadline`; they run later then.
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
            // The actor goes on here with what else is in line for it, for as long as there is something, and
            // only then with what follows: the next one may have its turn before.
            await turn {
                NativeThread.own(body)
                leave()
            }
            flag.set()
            executor.wake()
        }
        executor.run(until: deadline) { flag.isSet }
    }

    // A function of its own: none of its references is left by the time that somebody waits.
    private func makeTurn() -> (@Sendable (@Sendable () -> Void) async -> Void)? {
        guard let actor = object else { return nil }
        let executor = actor.unownedExecutor
        // The first of its two words is what runs the jobs.
        let runs = unsafeBitCast(executor, to: (UInt, UInt).self).0
        if runs != UInt(bitPattern: ObjectIdentifier(actor)) {
            let visitor = Visitor(of: actor, on: executor)
            return { body in await visitor.run(body) }
        }
        // It runs its jobs itself, and dying during its own turn is more than the runtime can bear. So
        // the reference goes where a host's own `await` would let it go.
        return { body in await isolated(to: actor, body) }
    }
}

private func isolated(to actor: isolated any Actor, _ body: @Sendable () -> Void) { body() }

/// Takes a turn on the executor that another actor has been given, and lets go of that actor there: a
/// queue or a thread of the host's, which the actor's `deinit` may demand.
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
