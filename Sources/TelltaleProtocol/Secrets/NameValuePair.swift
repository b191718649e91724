#if TELLTALE_COMPILED
/// The parts of a structure that are a name and its value: `(key:, value:)`, `HTTPHeader(name:,
/// value:)`, `("Authorization", "…")`.
package struct NameValuePair: Sendable, Equatable {
    /// The role that a label gives to a part.
    package struct Role: Sendable, Equatable {
        /// Indicates the name, as opposed to the value.
        package let isName: Bool
        /// Indicates an exact label: `value` and not `defaultValue`.
        let isExact: Bool

        /// The role of a part with a label, which may be the name of a property.
        package init?(label: String) {
            guard label.utf8.count <= SecretNames.longestName else { return nil }
            let words = NameWords.split(label)
            guard let last = words.last else { return nil }
            isName = NameValuePair.names.contains(last)
            guard isName || NameValuePair.values.contains(last) else { return nil }
            isExact = words.count == 1 || words == ["raw", "value"]
        }
    }

    /// A structure with more parts is not a mere pair: only the exact labels `name` and `value`
    /// count there, as in a cookie.
    private static let mostParts = 4
    /// The maximum size of a dictionary that is searched for a pair.
    package static let mostEntries = 8

    package let name: Int
    /// The indices of the values that the name applies to.
    package let values: Set<Int>

    /// Finds the pair among the parts of a structure or a tuple; `nil` if no part is the name of
    /// another. If none of a few parts has a label, the first is the name.
    package init?(roles: [Role?], isUnlabelled: Bool) {
        if isUnlabelled {
            guard (2...Self.mostParts).contains(roles.count) else { return nil }
            (name, values) = (0, Set(1..<roles.count))
            return
        }
        let counting = roles.map { role in
            roles.count <= Self.mostParts || role?.isExact == true ? role : nil
        }
        guard let name = counting.firstIndex(where: { $0?.isName == true }) else { return nil }
        let values = counting.indices.filter { counting[$0]?.isName == false }
        guard !values.isEmpty else { return nil }
        self.name = name
        self.values = Set(values)
    }

    package static let names: Set<String> = [
        "name", "key", "k", "field", "header", "label", "parameter", "param", "variable",
        "attribute", "property", "option", "setting", "identifier",
    ]
    private static let values: Set<String> = [
        "value", "values", "val", "v", "content", "contents", "data", "text", "string",
        "payload", "default",
    ]
}
#endif
