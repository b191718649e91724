#if TELLTALE_COMPILED
extension Literal {
    /// The value in Swift's syntax, with `<masked>` for parts named like a secret. It can't be read
    /// again if something was masked.
    package func masked(by names: SecretNames) -> String { text(masking: names) }

    /// The values of some members; one can be the name of the others.
    static func masked(_ members: [Argument], by names: SecretNames?) -> [String] {
        let pair = NameValuePair(
            roles: members.map { $0.label.flatMap(NameValuePair.Role.init) },
            isUnlabelled: members.allSatisfy { $0.label == nil })
        return members.enumerated().map { index, member in
            guard let pair else { return member.masked(by: names, named: nil) }
            let name = members[pair.name].value.nameText
            if index == pair.name, name != nil { return member.value.text(masking: names) }
            return member.masked(by: names, named: pair.values.contains(index) ? name : nil)
        }
    }

    /// The values of a case's payload, which are secrets where the case has the name of one.
    static func masked(
        _ payload: [Argument], ofCase name: String, by names: SecretNames?
    ) -> [String] {
        payload.map { $0.masked(by: names, named: name) }
    }

    /// The text of a value that can be a name.
    var nameText: String? {
        switch self {
        case .string(let text), .enumCase(let text, _): text
        default: nil
        }
    }
}

extension Literal.Argument {
    fileprivate func masked(by names: SecretNames?, named: String?) -> String {
        let isSecret = [label, named].contains { name in
            name.map { names?.matches($0) ?? false } ?? false
        }
        // A Bool and nil tell nothing of a secret.
        switch value {
        case .bool, .null: return value.description
        default: return isSecret ? SecretURL.mask : value.text(masking: names)
        }
    }
}
#endif
