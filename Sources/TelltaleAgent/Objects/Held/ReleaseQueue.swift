#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// Lets go of the host's values on their owners, whenever those answer.
///
/// Nobody waits for it, and it takes no more than one submitted item of a queue's, and one worker of a
/// lock's or an actor's, however many values there are: they are kept and counted meanwhile.
///
/// What has no owner, or outlived its actor, is let go on a worker: such a thread is there for the host's
/// code, and one that hangs in a `deinit` costs nothing else. A thread of Dispatch would be one less for
/// the host.
final class ReleaseQueue: Sendable {
    /// What is let go together.
    private enum Place: Hashable {
        case queue(QueueIdentity)
        case actor(ObjectIdentifier)
        case lock(ObjectIdentifier)
        case worker

        init(_ owner: Owner) {
            switch owner {
            case .queue(let queue): self = .queue(QueueIdentity(of: queue))
            case .mainActor: self = .queue(QueueIdentity(of: .main))
            case .actor(let actor): self = .actor(actor.identity)
            case .lock(let lock): self = .lock(ObjectIdentifier(lock))
            case .none, .closure: self = .worker
            }
        }
    }

    private struct Kept {
        let owner: Owner
        var values: [any Releasable] = []
        /// Those that are looked at again and again: each once, however long the owner doesn't answer.
        var objects: [ObjectIdentifier: UncheckedObject] = [:]
        /// Whether the owner has been asked.
        var isAsked = false
    }

    private struct State {
        var kept: [Place: Kept] = [:]
        /// Of the agent that runs or was the last to; one that was stopped has no idle threads.
        var workers: WorkerPool?
    }

    /// How long a worker stays with an actor that doesn't answer. It answers later too.
    private static let stay: Duration = .seconds(5)
    private let state = Locked(State())

    /// Has the values let go with the help of these workers from now on.
    func use(_ workers: WorkerPool) { state.withLock { $0.workers = workers } }

    /// Keeps a value until `owner` lets it go.
    func give(_ value: any Releasable, to owner: Owner) {
        state.withLock { state in
            state.kept[Place(owner), default: Kept(owner: owner)].values.append(value)
        }
        ask()
    }

    /// Has a worker let go of a value; the caller does where there never was an agent.
    func giveToWorker(_ value: any Releasable) {
        guard state.withLock({ $0.workers != nil }) else { return value.letGo() }
        give(value, to: .none)
    }

    /// Keeps objects until `owner` lets them go, and takes them out of `objects`.
    func give(_ objects: inout [UncheckedObject], to owner: Owner) {
        state.withLock { state in
            for object in objects {
                let key = ObjectIdentifier(object.object)
                state.kept[Place(owner), default: Kept(owner: owner)].objects[key] = object
            }
            // Under the lock, as long as the others are kept: none of these can be the last.
            objects = []
        }
        ask()
    }

    /// Asks the owners that could not be asked before. Costs nothing where there are none.
    func ask() {
        let (workers, asked) = state.withLock { state -> (WorkerPool?, [(Place, Owner)]) in
            guard !state.kept.isEmpty, let workers = state.workers else { return (nil, []) }
            var asked: [(Place, Owner)] = []
            for (place, kept) in state.kept where !kept.isAsked {
                state.kept[place]?.isAsked = true
                asked.append((place, kept.owner))
            }
            return (workers, asked)
        }
        guard let workers else { return }
        for (place, owner) in asked { ask(owner, at: place, workers) }
    }

    /// How many values wait, and for whom.
    var waiting: (count: Int, owners: [String]) {
        state.withLock { state in
            (
                state.kept.values.reduce(0) { $0 + $1.values.count + $1.objects.count },
                state.kept.values.map(\.owner.shortName).sorted()
            )
        }
    }

    private func ask(_ owner: Owner, at place: Place, _ workers: WorkerPool) {
        if let queue = owner.dispatchQueue {
            let isSubmitted = workers.submitter.submit { [self] in
                queue.async(flags: .barrier) { [self] in letGo(place) }
            }
            if !isSubmitted { takeBack(place) }
            return
        }
        let run = Self.run(on: owner, workers) { [self] in letGo(place) }
        workers.submit(
            WorkerPool.Job(
                bulkhead: Bulkhead(owner, .write) ?? .releases, isWanted: { true },
                run: { [self] leave in
                    run()
                    // A lock's closure may have come back without calling what it was given.
                    if case .lock = owner { takeBack(place) }
                    leave()
                }, enqueue: nil))
    }

    /// Runs `body` for an owner that needs a thread to wait with.
    private static func run(
        on owner: Owner, _ workers: WorkerPool, _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        switch owner {
        case .lock(let lock): return { lock.run(body) }
        case .actor(let actor):
            return { actor.run(workers: workers, until: .now.advanced(by: stay), body) {} }
        default: return body
        }
    }

    // Where it could not be asked, or did nothing.
    private func takeBack(_ place: Place) {
        state.withLock { $0.kept[place]?.isAsked = false }
    }

    // On the owner.
    private func letGo(_ place: Place) {
        let kept = state.withLock { $0.kept.removeValue(forKey: place) }
        for value in kept?.values ?? [] { value.letGo() }
        withExtendedLifetime(kept) {}
    }
}
#endif
