package import TelltaleProtocol

/// Checks a document against a schema: the words of JSON Schema that ours has, and no others.
///
/// A member that the schema doesn't name is a problem here, though readers are told to skip it.
package struct SchemaCheck {
    private let schema: JSONValue

    package init(_ schema: JSONValue) { self.schema = schema }

    /// Returns the problems of a document; empty if it fits.
    package func problems(of document: JSONValue) -> [String] {
        guard case .string(let kind)? = document["kind"] else { return ["it has no kind"] }
        guard let part = schema["$defs"]?["answer-\(kind)"] else { return ["\(kind) is no kind"] }
        return problems(document, part, "$")
    }

    private func problems(_ value: JSONValue, _ part: JSONValue, _ place: String) -> [String] {
        guard case .object(let words) = part else { return ["\(place): no schema"] }
        return words.flatMap { word -> [String] in
            switch (word.key, word.value) {
            case ("description", _), ("additionalProperties", _): []
            case ("$ref", .string(let name)):
                schema["$defs"]?[String(name.dropFirst("#/$defs/".count))].map {
                    problems(value, $0, place)
                } ?? ["\(place): \(name) is not there"]
            case ("examples", .array(let examples)):
                examples.contains(value) ? [] : ["\(place): \(value.serialized()) is none of them"]
            case ("const", let constant):
                value == constant ? [] : ["\(place): it is not \(constant.serialized())"]
            case ("type", .string(let type)):
                Self.has(value, type) ? [] : ["\(place): \(value.kindDescription) is no \(type)"]
            case ("items", let element): elements(value, element, place)
            case ("properties", .object(let properties)): members(value, properties, place)
            case ("required", .array(let names)):
                names.compactMap { name in
                    guard case .string(let name) = name, value[name] == nil else { return nil }
                    return "\(place): \(name) is missing"
                }
            case ("anyOf", .array(let parts)):
                parts.contains { problems(value, $0, place).isEmpty }
                    ? []
                    : ["\(place): none of \(parts.count) fits \(value.serialized().prefix(80))"]
            default: ["\(place): '\(word.key)' of the schema is not understood"]
            }
        }
    }

    private func elements(
        _ value: JSONValue, _ element: JSONValue, _ place: String
    ) -> [String] {
        guard case .array(let values) = value else { return [] }
        return values.enumerated().flatMap {
            problems($0.element, element, "\(place)[\($0.offset)]")
        }
    }

    private func members(
        _ value: JSONValue, _ properties: [JSONMember], _ place: String
    ) -> [String] {
        guard case .object(let members) = value else { return [] }
        return members.flatMap { member -> [String] in
            guard let part = properties.first(where: { $0.key == member.key }) else {
                return ["\(place): \(member.key) is not in the schema"]
            }
            return problems(member.value, part.value, "\(place).\(member.key)")
        }
    }

    private static func has(_ value: JSONValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.null, "null"), (.bool, "boolean"), (.string, "string"), (.array, "array"),
            (.object, "object"), (.integer, "integer"), (.unsigned, "integer"),
            (.integer, "number"), (.unsigned, "number"), (.double, "number"):
            true
        default: false
        }
    }
}
