#if TELLTALE_COMPILED
extension Literal {
    /// The value in Swift's spelling, with `<masked>` for what goes by the name of a secret in it.
    /// It can't be read again where something was masked.
    package func masked(by names: SecretNames) -> String {
        switch self {
        case .string(let text):
            return Self.quoted(SecretURL.masking(text, names: names) ?? text)
        case .enumCase(let name, let payload) where !payload.isEmpty:
            let parts = payload.map { argument in
                argument.spelledLabel
                    + (names.matches(name)
                        ? argument.value.asSecret : argument.masked(by: names, named: nil))
            }
            return ".\(NameSpelling.spelled(name))(\(parts.joined(separator: ", ")))"
        case .array(let elements):
            return "[\(elements.map { $0.masked(by: names) }.joined(separator: ", "))]"
        case .dictionary(let entries) where !entries.isEmpty:
            let members = entries.map { Argument(label: $0.key.nameText, value: $0.value) }
            let parts = Self.masked(members, by: names)
            let list = zip(entries, parts).map { "\($0.key.masked(by: names)): \($1)" }
            return "[\(list.joined(separator: ", "))]"
        case .tuple(let elements):
            let parts = Self.masked(elements, by: names)
            return "("
                + zip(elements, parts).map { $0.spelledLabel + $1 }.joined(separator: ", ")
                + ")"
        default: return description
        }
    }

    /// The values of some members; one can be the name of the others.
    private static func masked(_ members: [Argument], by names: SecretNames) -> [String] {
        let pair = NameValuePair(
            roles: members.map { $0.label.flatMap(NameValuePair.Role.init) },
            isUnlabelled: members.allSatisfy { $0.label == nil })
        return members.enumerated().map { index, member in
            guard let pair else { return member.masked(by: names, named: nil) }
            let name = members[pair.name].value.nameText
            if index == pair.name, name != nil { return member.value.masked(by: names) }
            return member.masked(by: names, named: pair.values.contains(index) ? name : nil)
        }
    }

    /// The text of what can be a name.
    private var nameText: String? {
        switch self {
        case .string(let text), .enumCase(let text, _): text
        default: nil
        }
    }

    /// A Bool and nil tell nothing of a secret.
    fileprivate var asSecret: String {
        switch self {
        case .bool, .null: description
        default: SecretURL.mask
        }
    }
}

extension Literal.Argument {
    fileprivate var spelledLabel: String {
        label.map { NameSpelling.spelled($0) + ": " } ?? ""
    }

    fileprivate func masked(by names: SecretNames, named: String?) -> String {
        let isSecret = [label, named].contains { $0.map { names.matches($0) } ?? false }
        return isSecret ? value.asSecret : value.masked(by: names)
    }
}
#endif
