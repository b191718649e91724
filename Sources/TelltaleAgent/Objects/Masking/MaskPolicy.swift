#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleSystem

/// Which values of the host are secrets, so that no answer, dump, completion or log shows them: what
/// ``SecretNames`` says of their names, and what types say through ``TelltaleReflectable``.
struct MaskPolicy: Sendable {
    static let text = SecretURL.mask

    /// Masks nothing, for comparing values that are not shown.
    static let none = MaskPolicy(names: SecretNames(), isActive: false)

    let names: SecretNames
    /// Whether anything is masked.
    let isActive: Bool
    /// What was made of types by these rules.
    let plans = PlanPool()
    private let classes = SecretClasses()

    private init(names: SecretNames, isActive: Bool) {
        self.names = names
        self.isActive = isActive
    }

    /// Makes a policy with names that the host wants masked besides those that are always; like
    /// these they match whole words: `ssn` masks `userSSN` and `ssn_hash`.
    init(additionalNames: [String]) {
        self.init(names: SecretNames(additional: additionalNames), isActive: true)
    }

    /// Whether what goes by a name, in camel, snake or kebab case, is a secret by some of its
    /// words; of a type that is known: a Bool is none.
    func masks(name: String, of type: Any.Type? = nil) -> Bool {
        isActive && names.matches(name, value: type.map(Self.sort) ?? .other)
    }

    /// Whether a type says through ``TelltaleReflectable`` that every value of it is a secret.
    func masks(type: Any.Type) -> Bool {
        isActive && (type as? any TelltaleReflectable.Type)?.telltaleIsSecret ?? false
    }

    /// Whether an object may be a secret that was found by its class, and not in the property that would say
    /// so; its type may lift that.
    func masks(found type: Any.Type) -> Bool {
        isActive && classes.contains(type, by: self)
    }

    /// Whether a part of a type's values (a property, with its wrapper's underscore or without, or
    /// a case) is a secret by its name, where the usual names say so, or by what the type says that
    /// it is read from, a subclass for an inherited one.
    func masks(part name: String, of type: Any.Type, isNamedSo: Bool) -> Bool {
        guard isActive else { return false }
        guard let reflectable = type as? any TelltaleReflectable.Type else {
            return isNamedSo || names.matchesAdditional(name)
        }
        let plain = Self.plainName(name)
        if reflectable.telltaleIsSecret { return true }
        if reflectable.telltaleMasked.contains(plain) { return true }
        if reflectable.telltaleUnmasked.contains(plain) { return false }
        return isNamedSo || names.matchesAdditional(name)
    }

    /// Whether a type says that a part of its values is no secret, whatever it is called.
    func isLifted(_ name: String, of type: Any.Type) -> Bool {
        (type as? any TelltaleReflectable.Type)?.telltaleUnmasked
            .contains(Self.plainName(name)) ?? false
    }

    /// Whether a stored property, or the element of a tuple, is a secret where it is read from
    /// `type`.
    func masks(_ field: StoredField, of type: Any.Type) -> Bool {
        masks(part: field.shownName, of: type, isNamedSo: field.isSecretByName)
    }

    /// Whether what is registered under a name is a secret; its own type may lift that.
    func masks(root name: String, of type: Any.Type) -> Bool {
        isActive
            && masks(part: name, of: type, isNamedSo: Self.isSecret(name: name, of: type))
    }

    /// What the usual names say of a name and the type of what goes by it; looked up once for each
    /// stored property.
    static func isSecret(name: String, of type: Any.Type) -> Bool {
        SecretNames.standard.matches(plainName(name), value: sort(type))
    }

    /// A property's name without what the compiler adds for wrappers and lazy properties.
    static func plainName(_ name: String) -> String {
        for prefix in ["$__lazy_storage_$_", "_"] where name.hasPrefix(prefix) {
            return String(name.dropFirst(prefix.count))
        }
        return name
    }

    /// Whether values of a type tell nothing of a secret.
    func isTruth(_ type: Any.Type) -> Bool { Self.truths.contains(ObjectIdentifier(type)) }

    private static func sort(_ type: Any.Type) -> SecretNames.Value {
        let key = ObjectIdentifier(type)
        return truths.contains(key) ? .truth : numbers.contains(key) ? .number : .other
    }

    private static let truths: Set<ObjectIdentifier> = [
        ObjectIdentifier(Bool.self), ObjectIdentifier(Bool?.self),
    ]
    private static let numbers = Set(
        ([
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
            UInt16.self, UInt32.self, UInt64.self, Double.self, Float.self, Duration.self,
            Int?.self, Int64?.self, UInt?.self, UInt64?.self, Double?.self, Duration?.self,
        ] as [Any.Type]).map { ObjectIdentifier($0) })
}

extension CommandFailure {
    /// The refusal for every path at or below a secret, correct or guessed.
    static func masked(_ rendered: String, _ said: String = "nothing of it is shown") -> Self {
        var failure = CommandFailure(
            .denied, "\(rendered) is masked: \(said)",
            hint: "the host decides what is masked, by names and with TelltaleReflectable")
        failure.bringsSecret = true
        return failure
    }
}

/// Labels of the host's queues, threads, tasks and operations, and texts of its errors, as answers show them:
/// such a label often is the URL that is fetched.
package enum HostLabel {
    private static let names = Locked(SecretNames.standard)

    /// Has the names that the host wants masked besides masked in its labels too.
    static func mask(by names: SecretNames) { Self.names.withLock { $0 = names } }

    /// Returns whether a name outside of the host's memory, such as a command-line option, is that of a secret.
    static func isSecret(_ name: String) -> Bool { names.withLock { $0 }.matches(name) }

    package static func shown(_ label: String, isWhole: Bool = true) -> String {
        SecretURL.masking(label, isWhole: isWhole, names: names.withLock { $0 }) ?? label
    }
}

extension DispatchQueue {
    var shownLabel: String { HostLabel.shown(label) }
}
#endif
