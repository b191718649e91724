#if TELLTALE_AGENT
extension Registrar {
    /// Registers what is computed of a registered object, by the name `cart.total`; refused, and said so,
    /// where the object isn't registered.
    static func property<Object: AnyObject>(
        _ name: String, of object: Object, type: Any.Type, owner given: Owner? = nil,
        run options: RunOptions, _ get: @escaping @Sendable (Object) -> Any
    ) -> Registration {
        let shared = SharedState.current
        let registered = shared.objects.latest(of: object, where: \.isListed)
        guard let registered, !name.isEmpty else {
            shared.note(
                registered == nil
                    ? "property \(name) was refused: its object is not registered; register it first"
                    : "a property can't be registered without a name")
            return Registration(identifier: 0)
        }
        let owner = given ?? registered.owner
        let reference = HostReference(object)
        let isOff = options.contains(.offOwner) && !owner.isIsolation
        let here: @Sendable (AnyObject) -> Any = { get(unsafeDowncast($0, to: Object.self)) }
        // No weak reference, which would move the object's counts to a table.
        let make: @Sendable () -> Any? = {
            isOff ? reference.visited(of: owner, here) : reference.retained().map(here)
        }
        return add {
            RegistryEntry(
                identifier: $0, name: "\(registered.name).\(name)",
                target: .closure(HeldValue(make, of: owner, .toOwnerOrHost), of: reference),
                owner: isOff ? .closure : owner, type: type, isLeftOutOfDumps: true,
                propertyOf: registered.name, run: options)
        }
    }
}

extension HostReference {
    /// What `body` makes of the object off its owner, to which the reference is given back: it may be the last
    /// one by then, and a `deinit` is the host's code.
    fileprivate func visited(of owner: Owner, _ body: (AnyObject) -> Any) -> Any? {
        let held = held(of: owner)
        return withExtendedLifetime(held) { held?.value.map(body) }
    }

    // A function of its own: its reference is gone when the one that is held goes.
    private func held(of owner: Owner) -> HeldValue<AnyObject>? {
        retained().map { HeldValue($0, of: owner, .toOwner) }
    }
}

extension RegistryEntry {
    /// What is computed of the object, in the order in which it was registered.
    func properties(in objects: Registry<RegistryEntry>) -> [RegistryEntry] {
        guard let address = reference?.address, !isFound else { return [] }
        return objects.all.filter { entry in
            guard entry.propertyOf == name, case .closure(_, let object) = entry.target else {
                return false
            }
            return object?.address == address
        }
    }

    /// What it is called behind its object's name.
    var propertyName: String? {
        propertyOf.map { String(name.dropFirst($0.count + 1)) }
    }
}
#endif
