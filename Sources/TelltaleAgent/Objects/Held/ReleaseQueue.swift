#if TELLTALE_AGENT
import Dispatch
import TelltaleRuntime
import TelltaleSystem

/// Releases the host's values on their owners, whenever those respond.
///
/// No thread waits for it. However many values there are, it uses at most one submitted item of a queue, and
/// one worker for a lock or an actor; meanwhile the values are kept and counted.
///
/// A value that has no owner, or outlived its actor, is released on a worker: workers exist to run the host's
/// code, and a worker that hangs in a `deinit` blocks nothing else. A Dispatch thread would be one thread
/// less for the host.
final class ReleaseQueue: Sendable {
    /// The key of the values that are released together; `nil` for those released by a worker.
    private typealias Place = OwnerIdentity?

    private struct Kept {
        let owner: Owner
        var values: [any Releasable] = []
        /// Objects that are captured repeatedly: each is kept once, however long the owner fails to respond.
        var objects: [ObjectIdentifier: UncheckedObject] = [:]
        /// Set while a request to the owner is pending.
        var isAsked = false
    }

    private struct State {
        var kept: [Place: Kept] = [:]
        /// The workers of the running agent or of the last one; a stopped agent has no idle threads.
        var workers: WorkerPool?
    }

    /// The time for which a worker waits for an actor that doesn't respond. The actor can still respond
    /// later.
    private static let stay: Duration = .seconds(5)
    private let state = Locked(State())

    /// Uses these workers to release values from now on.
    func use(_ workers: WorkerPool) { state.withLock { $0.workers = workers } }

    /// Keeps a value until `owner` releases it.
    func give(_ value: any Releasable, to owner: Owner) {
        state.withLock { state in
            state.kept[OwnerIdentity(owner), default: Kept(owner: owner)].values.append(value)
        }
        ask()
    }

    /// Releases a value on a worker, or on the caller's thread if no agent was ever started.
    func giveToWorker(_ value: any Releasable) {
        guard state.withLock({ $0.workers != nil }) else { return value.letGo() }
        give(value, to: .none)
    }

    /// Keeps objects until `owner` releases them, and removes them from `objects`.
    func give(_ objects: inout [UncheckedObject], to owner: Owner) {
        state.withLock { state in
            for object in objects {
                let key = ObjectIdentifier(object.object)
                state.kept[OwnerIdentity(owner), default: Kept(owner: owner)].objects[key] = object
            }
            // Cleared under the lock, while `kept` still retains the objects: none of these references is the
            // last.
            objects = []
        }
        ask()
    }

    /// Submits a release to each owner without a pending one. Costs nothing if no value is kept.
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

    /// The number of values that wait for their release, and the names of their owners.
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
                    // The lock's closure may have returned without calling its argument.
                    if case .lock = owner { takeBack(place) }
                    leave()
                }, enqueue: nil))
    }

    /// Returns a closure that runs `body` on an owner for which a thread must wait.
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

    // Called if the request was not submitted, or may not have run.
    private func takeBack(_ place: Place) {
        state.withLock { $0.kept[place]?.isAsked = false }
    }

    // Runs on the owner.
    private func letGo(_ place: Place) {
        let kept = state.withLock { $0.kept.removeValue(forKey: place) }
        for value in kept?.values ?? [] { value.letGo() }
        withExtendedLifetime(kept) {}
    }
}
#endif
