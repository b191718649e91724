#if TELLTALE_AGENT
import TelltaleRuntime

extension Registrar {
    /// Registers a computed property of a registered object under a name like `cart.total`. If the object is
    /// not registered, the property is refused and a note logged.
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
        // A weak reference would move the object's reference counts to a side table.
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
    /// Calls `body` with the object off its owner, and afterwards releases the reference on the owner: it may
    /// be the last one by then, and a `deinit` is host code.
    fileprivate func visited(of owner: Owner, _ body: (AnyObject) -> Any) -> Any? {
        let held = held(of: owner)
        return withExtendedLifetime(held) { held?.value.map(body) }
    }

    // A separate function, so that its own reference is gone when the held one is released.
    private func held(of owner: Owner) -> HeldValue<AnyObject>? {
        retained().map { HeldValue($0, of: owner, .toOwner) }
    }
}

extension RegistryEntry {
    /// The computed properties of the object, in the order of their registration.
    func properties(in objects: Registry<RegistryEntry>) -> [RegistryEntry] {
        guard let address = reference?.address, !isFound else { return [] }
        return objects.all.filter { entry in
            guard entry.propertyOf == name, case .closure(_, let object) = entry.target else {
                return false
            }
            return object?.address == address
        }
    }

    /// The property's name without its object's name.
    var propertyName: String? {
        propertyOf.map { String(name.dropFirst($0.count + 1)) }
    }
}
#endif
