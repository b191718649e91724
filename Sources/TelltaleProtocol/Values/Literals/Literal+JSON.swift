#if TELLTALE_COMPILED
extension Literal {
    /// The value as `Decodable` types expect it.
    ///
    /// - A case without payload is its name, one with payload is the output of the compiler's
    ///   `Codable`: `{"name": {"_0": …, "label": …}}`.
    /// - A dictionary whose keys are strings or integers is an object, any other the array of keys
    ///   and values that `Dictionary` itself writes.
    /// - A tuple with all labels is an object, any other an array.
    public var jsonValue: JSONValue {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .integer(let text):
            Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
                ?? .double(Double(text) ?? .nan)
        case .float(let text): WholeNumber.wide(text) ?? .double(Double(text) ?? .nan)
        case .string(let string): .string(string)
        case .enumCase(let name, let payload):
            payload.isEmpty
                ? .string(name)
                : .object([
                    JSONMember(
                        name,
                        .object(
                            payload.enumerated().map { index, argument in
                                JSONMember(
                                    argument.label ?? "_\(index)", argument.value.jsonValue)
                            }))
                ])
        case .array(let elements): .array(elements.map(\.jsonValue))
        case .dictionary(let entries): Self.json(entries)
        case .tuple(let elements): Self.json(elements)
        case .made(_, let payload):
            madeCase.map { Literal.enumCase($0, payload).jsonValue }
                ?? Self.json(payload)
        case .range(let lower, let upper, _):
            .array([lower, upper].compactMap { $0?.jsonValue })
        case .path(let path): .string(path.description)
        case .spelled(let text): .string(text)
        }
    }

    private static func json(_ entries: [Entry]) -> JSONValue {
        var members: [JSONMember] = []
        for entry in entries {
            switch entry.key {
            case .string(let key), .integer(let key), .enumCase(let key, []):
                members.append(JSONMember(key, entry.value.jsonValue))
            default:
                return .array(entries.flatMap { [$0.key.jsonValue, $0.value.jsonValue] })
            }
        }
        return .object(members)
    }

    private static func json(_ elements: [Argument]) -> JSONValue {
        let members = elements.compactMap { element in
            element.label.map { JSONMember($0, element.value.jsonValue) }
        }
        guard members.count == elements.count, !members.isEmpty else {
            return .array(elements.map(\.value.jsonValue))
        }
        return .object(members)
    }
}
#endif
