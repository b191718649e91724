#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

// Secrets on a walk, and the names that mask them.
extension StoredWalk {
    /// The one change that a secret permits.
    static let setWhole = "it can only be set as a whole"

    /// Marks the property reached as a secret, by its own name or by its part in a name-and-value pair.
    func mark(
        _ planned: PlannedField, in plan: [PlannedField], at base: UnsafeMutableRawPointer
    ) {
        if planned.isMasked { isMasked = true }
        let isName = plan.contains { $0.namedBy?.isSame(as: planned.field) == true }
        guard let name = isName ? planned.field : planned.namedBy, name.ownership == .strong,
            !name.isNoncopyable
        else { return }
        let values = isName ? plan.filter { $0.namedBy != nil } : [planned]
        let text = ValueReader.name(
            of: TypedMemory.load(name.type, at: base + name.offset), masks: masks)
        guard values.contains(where: { text.isSecret(by: masks, value: $0.field.type) }) else {
            return
        }
        if isName { nameOfSecret = .nameOfSecret(rendered) } else { isMasked = true }
    }
}

/// The secrets of a name-and-value pair among the entries of a small dictionary: `["name": "Authorization",
/// "value": "…"]`.
struct PairedSecrets {
    enum Part {
        case secret
        /// The entry that makes another one a secret: with another name, another key or without the entry the
        /// secret would be shown.
        case nameOfSecret
        case other
    }

    private let entries: [(key: AnyHashable, value: Any)]
    private let type: Any.Type
    private let masks: MaskPolicy

    /// Ignores the entries of a dictionary that is too large for a pair.
    init(_ entries: [(key: AnyHashable, value: Any)], of type: Any.Type, _ masks: MaskPolicy) {
        self.entries = entries.count <= NameValuePair.mostEntries ? entries : []
        self.type = type
        self.masks = masks
    }

    /// Returns the part that the entry of a key, present or new, has in the pair.
    func part(of key: Any) -> Part {
        guard masks.isActive, !entries.isEmpty,
            let key = (key as? any Hashable).map({ AnyHashable($0) })
        else { return .other }
        var keys = entries.map(\.key)
        let index = keys.firstIndex(of: key) ?? keys.count
        if index == keys.count { keys.append(key) }
        let roles = keys.map { key in
            ValueReader.name(of: key.base, masks: masks).only.flatMap(NameValuePair.Role.init)
        }
        // Checks the entries as they are, and as they would be with the key.
        for roles in [Array(roles.prefix(entries.count)), roles] {
            guard let pair = NameValuePair(roles: roles, isUnlabelled: false),
                pair.name < entries.count,
                ValueReader.name(of: entries[pair.name].value, masks: masks)
                    .isSecret(by: masks, value: type)
            else { continue }
            if pair.values.contains(index), keys.count <= NameValuePair.mostEntries {
                return .secret
            }
            if pair.values.contains(where: { $0 < entries.count }) { return .nameOfSecret }
        }
        return .other
    }
}

extension CommandFailure {
    static func nameOfSecret(_ rendered: String) -> CommandFailure {
        CommandFailure(
            .denied,
            "\(rendered) stays as it is: the value beside it is masked by what it says",
            hint: "set the whole of them, with the name and the value")
    }
}
#endif
