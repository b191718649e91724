#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleRuntime

/// Adds the host's registrations to the registries, and logs a note for those that are refused or replace
/// another.
///
/// Registration runs while the host starts. Therefore the names of types and owners and the probes of queues,
/// which would take most of the time, are made only when a client asks (`telltale-bench --filter
/// registration`).
enum Registrar {
    static func makeIdentifier() -> UInt64 { SharedState.current.makeIdentifier() }

    static func register(
        _ object: AnyObject, as name: String, owner: Owner, inDumps: Bool
    ) -> Registration {
        add {
            RegistryEntry(
                identifier: $0, name: name, target: .object(HostReference(object)), owner: owner,
                type: type(of: object), isLeftOutOfDumps: !inDumps)
        }
    }

    /// Registers a closure that makes a value on `owner`; it returns `nil` once its owner `actor` is gone.
    static func register(
        _ name: String, type: Any.Type, owner: Owner, of actor: (any Actor)? = nil,
        run options: RunOptions, _ make: @escaping @Sendable () -> Any?
    ) -> Registration {
        add {
            RegistryEntry(
                identifier: $0, name: name,
                target: .closure(
                    HeldValue(make, of: owner, .toOwnerOrHost), of: actor.map(HostReference.init)),
                owner: owner, type: type, isLeftOutOfDumps: false, run: options)
        }
    }

    static func add(_ make: (UInt64) -> RegistryEntry) -> Registration {
        let shared = SharedState.current
        let entry = make(shared.makeIdentifier())
        guard isFree(entry.name) else {
            sayRefused(entry.name, for: "an object")
            return Registration(identifier: 0)
        }
        if let replaced = shared.objects.add(
            entry, identifier: entry.identifier, as: entry.name)
        {
            say(entry, replaces: replaced)
        }
        return Registration(identifier: entry.identifier)
    }

    static func add(run options: RunOptions, _ made: Action) -> Registration {
        let shared = SharedState.current
        let action = made.running(options)
        guard isFree(action.name) else {
            sayRefused(action.name, for: "an action")
            return Registration(identifier: 0)
        }
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

    /// The owner with which `object` was registered, for an action of that object.
    static func owner(
        of object: AnyObject, for action: String, run options: RunOptions
    ) -> Owner? {
        // An actor is its own owner, registered or not.
        if let actor = object as? any Actor { return .actor(WeakActor(actor)) }
        let shared = SharedState.current
        if options.contains(.offOwner), shared.objects.latest(of: object, where: \.isListed) != nil
        {
            return Owner.none
        }
        // An object may be registered under several names, of which only one may have an owner.
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

    private static func say(_ entry: RegistryEntry, replaces replaced: RegistryEntry) {
        guard !replaced.isGone else { return }
        SharedState.current.note(
            "\(entry.name) was registered again: the \(entry.typeName) replaces the "
                + "\(replaced.typeName)")
    }

    // A name that is also a command would make `telltale NAME` ambiguous.
    static func isFree(_ name: String) -> Bool {
        !name.isEmpty && !CommandTable.isReserved(name)
    }

    static func sayRefused(_ name: String, for what: String) {
        SharedState.current.note(
            "\(what) can't be registered as `\(name)`: "
                + (name.isEmpty ? "a name is needed" : "that is a command"))
    }
}
#endif
