import TelltaleProtocol

/// Parts of the schema that no type says.
enum SchemaText {
    static let whole =
        """
        One document for each command, and for a failure; `kind` says which. Members that are not here may \
        be added without another `version`. Values of the service are JSON values: see `Value`.
        """

    static let string = type("string")
    static let integer = type("integer")
    static let number = type("number")
    static let boolean = type("boolean")

    static func type(_ name: String) -> JSONValue { .object([JSONMember("type", .string(name))]) }

    static func reference(_ name: String) -> JSONValue {
        .object([JSONMember("$ref", .string("#/$defs/\(name)"))])
    }

    static func array(of element: JSONValue) -> JSONValue {
        .object([JSONMember("type", .string("array")), JSONMember("items", element)])
    }

    static func object(
        _ properties: [(String, JSONValue)], needed: [String]? = nil
    ) -> JSONValue {
        .object([
            JSONMember("type", .string("object")),
            JSONMember("properties", .object(properties.map { JSONMember($0.0, $0.1) })),
            JSONMember(
                "required", .array((needed ?? properties.map(\.0)).map { .string($0) })),
        ])
    }

    /// Adds a description.
    static func described(_ schema: JSONValue, _ text: String?) -> JSONValue {
        guard let text, case .object(let members) = schema else { return schema }
        return .object([JSONMember("description", .string(text))] + members)
    }

    static let value: JSONValue = described(
        .object([
            JSONMember(
                "anyOf",
                .array([
                    type("null"), boolean, number, string, array(of: reference("Value")),
                    .object([
                        JSONMember("type", .string("object")),
                        JSONMember("additionalProperties", reference("Value")),
                    ]),
                ]))
        ]),
        """
        A value of the service: nil is null; Bool, numbers, strings, arrays, sets, tuples without labels and \
        dictionaries by strings are JSON's own. Everything else is an object whose members with a $ are no \
        properties: an object has $type, $handle and $address, a structure $type, a case $type and $case \
        with its payload as members (_0 without a label), another dictionary $type and $entries of [key, \
        value], what is shown by a text alone $text; {"$ref": n} is the object with that $handle, \
        {"$masked": true} a secret, {"$unavailable": why} what could not be read.
        """)

    private static let place = described(
        array(of: .object([])), "Where in the value, as jq's getpath takes it.")

    static let cut: JSONValue = described(
        object(
            [("at", place), ("reason", string), ("omitted", integer)], needed: ["at", "reason"]),
        "What was left out of a value: its elements, depth, bytes or deadline.")

    static let note: JSONValue = described(
        object([("at", place), ("note", string)]), "What is to be known of a value beside it.")
}
