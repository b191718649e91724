#if TELLTALE_AGENT
import TelltaleProtocol

// What a walk does at an actor: it guards its own storage, whoever the path begins at.
extension StoredWalk {
    /// Where a walk runs, and how what it meets is called.
    struct Turn {
        /// The actor on which it runs.
        var actor: ObjectIdentifier?
        /// The name under which an object is registered.
        var registeredName: (AnyObject) -> String? = { _ in nil }

        init() {}

        init(on owner: Owner, registeredName: @escaping (AnyObject) -> String? = { _ in nil }) {
            if case .actor(let actor) = owner { self.actor = actor.identity }
            self.registeredName = registeredName
        }
    }

    /// An actor on whose storage the walk has no hold.
    struct PassedActor {
        let rendered: String
        let registered: String?
    }

    /// Notes an actor that the walk doesn't run on: behind it only constants may be passed, and what
    /// a lock guards be reached.
    func pass(_ object: AnyObject) {
        guard object is any Actor, object !== first, ObjectIdentifier(object) != turn.actor else {
            return
        }
        passedActor = PassedActor(rendered: rendered, registered: turn.registeredName(object))
        needsLock = true
    }

    /// Whether code of the object's may run where the walk does: an actor is its own owner.
    func isOwned(_ object: AnyObject) -> Bool {
        !(object is any Actor) || ObjectIdentifier(object) == turn.actor
    }

    /// Why what was reached can't be changed, or used, where the walk runs.
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
