#if TELLTALE_AGENT
import TelltaleProtocol

/// One stored property of a class or a struct, or one element of a tuple.
struct StoredField: Sendable {
    /// How a reference is held.
    enum Ownership: Sendable {
        case strong, weak, unowned, unmanaged
    }

    /// The name in the runtime's records.
    let name: String
    /// The name as the source has it: without the prefix of a lazy or wrapped property.
    let shownName: String
    let type: Any.Type
    /// Where it stands in the object or the value.
    let offset: Int
    let isVariable: Bool
    let ownership: Ownership
    let isLazy: Bool
    /// Whether its type can't be copied; the runtime then tells no type.
    let isNoncopyable: Bool
    /// Whether the usual names have it for a secret.
    let isSecretByName: Bool
    /// What it is in a pair of a name and a value.
    let role: NameValuePair.Role?

    init(
        name: String, shownName: String, type: Any.Type, offset: Int, isVariable: Bool,
        ownership: Ownership, isLazy: Bool, isNoncopyable: Bool
    ) {
        self.name = name
        self.shownName = shownName
        self.type = type
        self.offset = offset
        self.isVariable = isVariable
        self.ownership = ownership
        self.isLazy = isLazy
        self.isNoncopyable = isNoncopyable
        isSecretByName = MaskPolicy.isSecret(name: shownName, of: type)
        role = NameValuePair.Role(label: shownName)
    }

    /// Whether it is an element of a tuple without a label.
    var isUnlabelled: Bool { shownName.hasPrefix(".") }

    static let lazyPrefix = "$__lazy_storage_$_"
    /// Storage that the compiler or a macro adds.
    static let hidden: Set<String> = ["$defaultActor", "_$observationRegistrar"]
}
#endif
