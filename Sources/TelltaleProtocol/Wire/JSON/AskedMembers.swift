#if TELLTALE_COMPILED
/// The members of an object, and of nested objects, that a type's `init(from:)` has asked for.
///
/// A member that was never asked for has no part in the result: its name was mistyped.
final class AskedMembers {
    /// `nil` if it was not decoded as an object.
    private var names: Set<String>?
    private var parts: [String: AskedMembers] = [:]

    /// Called when it is decoded as an object.
    func open() { names = names ?? [] }

    func ask(_ name: String) { names?.insert(name) }

    /// The members of one inside of it.
    func part(_ key: any CodingKey) -> AskedMembers {
        if let part = parts[key.stringValue] { return part }
        let part = AskedMembers()
        parts[key.stringValue] = part
        return part
    }

    /// The first member that was never asked for.
    func unasked(in value: JSONValue) -> String? {
        switch value {
        case .object(let members):
            guard let names else { return nil }
            for member in members {
                guard names.contains(member.key) else { return member.key }
                if let name = parts[member.key]?.unasked(in: member.value) { return name }
            }
        case .array(let elements):
            guard !parts.isEmpty else { return nil }
            for (index, element) in elements.enumerated() {
                let key = JSONCodingKey(index: index).stringValue
                if let name = parts[key]?.unasked(in: element) { return name }
            }
        default: break
        }
        return nil
    }
}
#endif
