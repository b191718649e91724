import TelltaleProtocol

/// The differences between a document and the data on the wire: its values are JSON's own.
enum DocumentChanges {
    static func apply(to schema: JSONValue, of type: String) -> JSONValue {
        guard case .object(let members)? = schema["properties"],
            case .array(let required)? = schema["required"]
        else { return schema }
        var properties = members.map { ($0.key, $0.value) }
        var needed = required.compactMap { name -> String? in
            if case .string(let name) = name { name } else { nil }
        }
        let value = SchemaText.reference("Value")
        func replace(
            _ key: String, by name: String? = nil, with schema: JSONValue, _ text: String? = nil
        ) {
            guard let index = properties.firstIndex(where: { $0.0 == key }) else { return }
            properties[index] = (name ?? key, SchemaText.described(schema, text))
        }
        switch type {
        case "ValueAnswer", "PlainAnswer", "CallAnswer", "EvalAnswer", "JobsAnswer.Entry":
            if type != "JobsAnswer.Entry" { properties.append(("type", SchemaText.string)) }
            if ["ValueAnswer", "PlainAnswer"].contains(type) { needed.append("type") }
            for (name, part) in [("cuts", "Cut"), ("notes", "Note")] {
                properties.append((name, SchemaText.array(of: SchemaText.reference(part))))
            }
        case "ValueMatches":
            let found = SchemaText.object([
                ("path", SchemaText.string), ("type", SchemaText.string), ("value", value),
            ])
            replace("found", with: SchemaText.array(of: found))
        case "ChangeRecord":
            replace("old", with: value, "The value before; not there for a call.")
            replace("new", with: value, "The value after; for a call its arguments as text.")
        case "WatchedAnswer.Change":
            replace("from", with: value)
            replace("to", with: value)
        case "WatchedValue": replace("text", by: "value", with: value)
        default: return schema
        }
        return SchemaText.object(properties, needed: needed)
    }
}
