#if TELLTALE_AGENT
import TelltaleProtocol

// The rules of a walk for actors: an actor guards its own storage, wherever the path starts.
extension StoredWalk {
    /// The owner access in which a walk runs, with the names of registered objects.
    struct Turn {
        /// The actor on which the walk runs.
        var actor: ObjectIdentifier?
        /// The name under which an object is registered.
        var registeredName: (AnyObject) -> String? = { _ in nil }

        init() {}

        init(on owner: Owner, registeredName: @escaping (AnyObject) -> String? = { _ in nil }) {
            if case .actor(let actor) = owner { self.actor = actor.identity }
            self.registeredName = registeredName
        }
    }

    /// An actor whose storage the walk may not access.
    struct PassedActor {
        let rendered: String
        let registered: String?
    }

    /// Notes an actor on which the walk doesn't run: after it only constants may be passed, and only storage
    /// guarded by a lock be reached.
    func pass(_ object: AnyObject) {
        guard object is any Actor, object !== first, ObjectIdentifier(object) != turn.actor else {
            return
        }
        passedActor = PassedActor(rendered: rendered, registered: turn.registeredName(object))
        needsLock = true
    }

    /// Returns whether code of the object may run where the walk does: an actor is its own owner.
    func isOwned(_ object: AnyObject) -> Bool {
        !(object is any Actor) || ObjectIdentifier(object) == turn.actor
    }

    /// The reason why the place can't be changed, or used, where the walk runs.
    var unowned: CommandFailure {
        if let passedActor { return passedActor.failure(rootName) }
        return isBelowObject ? PathChanging.unowned(rootName) : PathChanging.unguarded(rootName)
    }
}

extension StoredWalk.PassedActor {
    func failure(_ rootName: String) -> CommandFailure {
        let register = "in the service: Telltale.register(actor, as: \"name\"); "
        return CommandFailure(
            .unsupported,
            "\(rendered) is an actor, which alone guards what is stored in it, and a path from \(rootName) "
                + "doesn't run on it; nothing was changed",
            hint: (registered.map { "it is registered as \($0): begin the path there; " }
                ?? register)
                + "`call \(rendered).METHOD(…)` runs on the actor")
    }
}
#endif
