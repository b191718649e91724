#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// The rules for secrets, which no answer, dump, completion or log shows: the rules of ``SecretNames`` for
/// names, and the statements of types through ``TelltaleReflectable``.
struct MaskPolicy: Sendable {
    static let text = SecretURL.mask

    /// Masks nothing; for comparing values that are not shown.
    static let none = MaskPolicy(names: SecretNames(), isActive: false)

    let names: SecretNames
    /// False for ``none``, which masks nothing.
    let isActive: Bool
    /// The plans made for types by these rules.
    let plans = PlanPool()
    private let classes = SecretClasses()

    private init(names: SecretNames, isActive: Bool) {
        self.names = names
        self.isActive = isActive
    }

    /// Makes a policy that masks the host's additional names besides the standard ones. Like these they match
    /// whole words: `ssn` masks `userSSN` and `ssn_hash`.
    init(additionalNames: [String]) {
        self.init(names: SecretNames(additional: additionalNames), isActive: true)
    }

    /// Returns whether a name in camel, snake or kebab case marks a secret by some of its words. A known type
    /// is considered: a `Bool` is not a secret.
    func masks(name: String, of type: Any.Type? = nil) -> Bool {
        isActive && names.matches(name, value: type.map(SecretProperty.sort) ?? .other)
    }

    /// Returns whether a type says through ``TelltaleReflectable`` that all its values are secrets.
    func masks(type: Any.Type) -> Bool {
        isActive && (type as? any TelltaleReflectable.Type)?.telltaleIsSecret ?? false
    }

    /// Returns whether an object may be a secret if it was found by its class, without the property whose
    /// name would say so. Its type may lift the mask.
    func masks(found type: Any.Type) -> Bool {
        isActive && classes.contains(type, by: self)
    }

    /// Returns whether a part of a type's values is a secret. The part is a case, or a property, with or
    /// without its wrapper's underscore. `isNamedSo` is the verdict of the standard names. `type` is the type
    /// that the part is read from: a subclass for an inherited part.
    func masks(part name: String, of type: Any.Type, isNamedSo: Bool) -> Bool {
        guard isActive else { return false }
        guard let reflectable = type as? any TelltaleReflectable.Type else {
            return isNamedSo || names.matchesAdditional(name)
        }
        let plain = SecretProperty.plainName(name)
        if reflectable.telltaleIsSecret { return true }
        if reflectable.telltaleMasked.contains(plain) { return true }
        if reflectable.telltaleUnmasked.contains(plain) { return false }
        return isNamedSo || names.matchesAdditional(name)
    }

    /// Returns whether a type says that a part of its values is not a secret, whatever its name.
    func isLifted(_ name: String, of type: Any.Type) -> Bool {
        (type as? any TelltaleReflectable.Type)?.telltaleUnmasked
            .contains(SecretProperty.plainName(name)) ?? false
    }

    /// Returns whether a registered value is a secret by the name of its registration. Its own type may lift
    /// the mask.
    func masks(root name: String, of type: Any.Type) -> Bool {
        isActive
            && masks(part: name, of: type, isNamedSo: SecretProperty.isSecret(name: name, of: type))
    }

    /// Returns whether values of a type are truth values, which reveal nothing of a secret.
    func isTruth(_ type: Any.Type) -> Bool { SecretProperty.isTruth(type) }
}

extension CommandFailure {
    /// The error for every path at or below a secret, whether the path exists or was guessed.
    static func masked(_ rendered: String, _ said: String = "nothing of it is shown") -> Self {
        var failure = CommandFailure(
            .denied, "\(rendered) is masked: \(said)",
            hint: "the service decides what is masked, by names and with TelltaleReflectable")
        failure.bringsSecret = true
        return failure
    }
}

extension DispatchQueue {
    var shownLabel: String { HostLabel.shown(label) }
}
#endif
