#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol

/// Puts what the host registers under its name, and says what is not as the host may expect.
///
/// A host feels this at its start: one object costs 1.1 µs in release (`telltale-bench --filter
/// registration`), of which half is the memory that it is kept in. What an answer says of it (the names of
/// its type, its owner's) is made when somebody asks.
enum Registrar {
    static func makeIdentifier() -> UInt64 { SharedState.current.makeIdentifier() }

    static func register(
        _ object: AnyObject, as name: String, owner: Owner, inDumps: Bool
    ) -> Registration {
        let reference = HostReference(object)
        return add(
            RegistryEntry(
                identifier: makeIdentifier(), name: name, target: .object(reference),
                owner: owner, probe: probe(of: owner), type: type(of: object),
                isLeftOutOfDumps: !inDumps))
    }

    /// Registers a closure that makes a value where `owner` allows it; nil once `actor`, which is its
    /// owner, is gone.
    static func register(
        _ name: String, type: Any.Type, owner: Owner, of actor: (any Actor)? = nil,
        _ make: @escaping @Sendable () -> Any?
    ) -> Registration {
        let target = RegistryEntry.Target.closure(
            HeldValue(make, of: owner, .toOwnerOrHost), of: actor.map(HostReference.init))
        return add(
            RegistryEntry(
                identifier: makeIdentifier(), name: name, target: target, owner: owner,
                probe: probe(of: owner), type: type, isLeftOutOfDumps: false))
    }

    private static func probe(of owner: Owner) -> QueueProbe? {
        owner.dispatchQueue.map(SharedState.current.probes.probe)
    }

    static func add(_ action: Action) -> Registration {
        let shared = SharedState.current
        guard isFree(action.name, for: "an action") else { return Registration(identifier: 0) }
        if let wrong = action.refusedNames {
            shared.note(
                "action \(action.name) has "
                    + Quantity.count(action.parameters.count, "argument", "arguments")
                    + " and was given \(Quantity.count(wrong, "name", "names")): names are left out"
            )
        }
        if let replaced = shared.actions.add(
            action, identifier: action.identifier, as: action.name),
            !replaced.isGone
        {
            shared.note("action \(replaced.name) was registered again; the first is replaced")
        }
        return Registration(identifier: action.identifier)
    }

    static func observe(_ queue: DispatchQueue) -> Registration {
        let identifier = makeIdentifier()
        SharedState.current.probes.observe(queue, identifier: identifier)
        return Registration(identifier: identifier)
    }

    static func observe<Success, Failure>(_ task: Task<Success, Failure>) -> Registration {
        let shared = SharedState.current
        let identifier = makeIdentifier()
        let entry = ObservedTasks.Entry(
            identifier: identifier, address: unsafeBitCast(task, to: UInt.self),
            cancel: { task.cancel() })
        guard shared.observedTasks.add(entry) else {
            shared.note(
                "a task is not observed: \(ObservedTasks.most) that have not ended are already")
            return Registration(identifier: 0)
        }
        return Registration(identifier: identifier)
    }

    /// The owner that `object` was registered with, for an action of its own.
    static func owner(of object: AnyObject, for action: String) -> Owner? {
        // An actor is its own owner, registered or not.
        if let actor = object as? any Actor { return .actor(WeakActor(actor)) }
        let shared = SharedState.current
        // An object may be registered under several names, of which one says how it is guarded.
        let owned = shared.objects.latest(of: object) { entry in
            switch entry.owner {
            case .none, .closure: false
            default: true
            }
        }
        if let owned { return owned.owner }
        guard let entry = shared.objects.latest(of: object, where: { _ in true }) else {
            shared.note(
                "action \(action) was refused: its object is not registered; register it first")
            return nil
        }
        shared.note(
            "action \(action) was refused: \(entry.name) is registered without an owner, so "
                + "nothing says where the method may run")
        return nil
    }

    static func add(_ entry: RegistryEntry) -> Registration {
        let shared = SharedState.current
        guard isFree(entry.name, for: "an object") else { return Registration(identifier: 0) }
        if let replaced = shared.objects.add(
            entry, identifier: entry.identifier, as: entry.name),
            !replaced.isGone
        {
            shared.note(
                "\(entry.name) was registered again: the \(entry.typeName) replaces the "
                    + "\(replaced.typeName)")
        }
        return Registration(identifier: entry.identifier)
    }

    // A command's word would make `telltale NAME` mean two things.
    private static func isFree(_ name: String, for what: String) -> Bool {
        guard !name.isEmpty, !CommandTable.isReserved(name) else {
            SharedState.current.note(
                "\(what) can't be registered as `\(name)`: "
                    + (name.isEmpty ? "a name is needed" : "that is a command"))
            return false
        }
        return true
    }
}
#endif
