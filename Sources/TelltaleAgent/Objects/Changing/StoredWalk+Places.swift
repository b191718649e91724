#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

// The operations at the end of a walk.
extension StoredWalk {
    /// The value at a place.
    struct Reached {
        var type: Any.Type
        /// The value; `nil` if a dictionary has no such key.
        var value: Any?
        var isEntry = false
        /// True for a weak or an unowned reference.
        var isReference = false
    }

    /// Refuses a place after a property that must not be changed.
    func checkObstacle() throws(CommandFailure) {
        if let nameOfSecret { throw nameOfSecret }
        guard let obstacle else { return }
        throw CommandFailure(
            .unsupported, obstacle, hint: "make it a `var`, or offer an action that changes it")
    }
}

extension StoredWalk.Place {
    /// The declared type of the value.
    var type: Any.Type {
        switch self {
        case .value(_, let type): type
        case .entry(_, let dictionary, _): dictionary.value
        case .reference(_, let field): field.type
        }
    }

    /// Loads the value, if its type can be typed.
    func load(_ rendered: String) throws(CommandFailure) -> StoredWalk.Reached {
        guard !ChangedType.holdsFunction(type) else {
            throw CommandFailure(
                .unsupported, "\(rendered) is a function, which can't be typed")
        }
        switch self {
        case .value(let address, let type):
            try CheckedReference.check(type, at: address, rendered)
            return .init(type: type, value: TypedMemory.load(type, at: address))
        case .entry(let address, let dictionary, let key):
            return .init(
                type: type, value: dictionary.value(at: address, of: key),
                isEntry: true)
        case .reference(let address, let field):
            return .init(
                type: type, value: HeldReference.load(field, at: address), isReference: true)
        }
    }

    /// Replaces the value. Returns false if the new value does not fit.
    func assign(_ value: Any) -> Bool {
        switch self {
        case .value(let address, let type): TypedMemory.assign(value, to: type, at: address)
        case .entry(let address, let dictionary, let key):
            dictionary.update(at: address, key, to: value)
        case .reference(let address, let field):
            HeldReference.assign(value, field, at: address)
        }
    }

    /// Removes a key from a dictionary; false if the place is not that of a key.
    func remove() -> Bool {
        guard case .entry(let address, let dictionary, let key) = self else { return false }
        return dictionary.update(at: address, key, to: nil)
    }
}
#endif
