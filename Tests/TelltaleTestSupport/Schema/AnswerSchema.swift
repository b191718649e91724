package import TelltaleProtocol

/// The JSON Schema of the output of `--json`, made from the answers' types and their documentation
/// comments.
package struct AnswerSchema {
    private var types = TypeSchemas()

    package init() {}

    /// The schema.
    ///
    /// - Parameter others: Documents that no agent makes, by their kinds.
    /// - Returns: The schema, as JSON.
    /// - Throws: What a type's own decoding throws that was not foreseen here.
    package mutating func document(_ others: [(String, any Decodable.Type)]) throws -> JSONValue {
        var kinds: [String] = []
        var definitions: [JSONMember] = []
        func add(_ kind: String, _ body: JSONValue, _ text: String?) {
            guard !kinds.contains(kind) else { return }
            kinds.append(kind)
            definitions.append(JSONMember("answer-\(kind)", Self.answer(kind, body, text)))
        }
        for command in CommandTable.methods where !command.description.endsSession {
            let (body, text) = try Self.answerBody(of: command, &types)
            add(command.answerKind, body, text)
        }
        let (watched, text) = (
            try types.body(of: WatchedAnswer.self), types.text(of: WatchedAnswer.self)
        )
        add(WatchedAnswer.kind, watched, text)
        for (kind, type) in others { add(kind, try types.body(of: type), types.text(of: type)) }
        for (kind, members, text) in Self.plain { add(kind, members, text) }
        definitions += types.definitions
        definitions.append(JSONMember("Value", SchemaText.value))
        definitions.append(JSONMember("Cut", SchemaText.cut))
        definitions.append(JSONMember("Note", SchemaText.note))
        return .object([
            JSONMember("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            JSONMember("title", .string("What telltale --json prints")),
            JSONMember("description", .string(SchemaText.whole)),
            JSONMember(
                "anyOf",
                .array(kinds.map { .object([JSONMember("$ref", .string("#/$defs/answer-\($0)"))]) })
            ),
            JSONMember("$defs", .object(definitions)),
        ])
    }

    private static func answerBody(
        of command: any Command.Type, _ types: inout TypeSchemas
    ) throws -> (JSONValue, String?) {
        func open<Asked: Command>(_ command: Asked.Type) throws -> (JSONValue, String?) {
            (try types.body(of: Asked.Answer.self), types.text(of: Asked.Answer.self))
        }
        return try open(command)
    }

    /// A type's members behind the two that each document has.
    private static func answer(_ kind: String, _ body: JSONValue, _ text: String?) -> JSONValue {
        func const(_ value: JSONValue) -> JSONValue { .object([JSONMember("const", value)]) }
        var properties = [
            JSONMember("version", const(.integer(AnswerDocument.version))),
            JSONMember("kind", const(.string(kind))),
        ]
        var required: [JSONValue] = [.string("version"), .string("kind")]
        if case .object(let members)? = body["properties"] { properties += members }
        if case .array(let names)? = body["required"] { required += names }
        return .object(
            (text.map { [JSONMember("description", .string($0))] } ?? []) + [
                JSONMember("type", .string("object")),
                JSONMember("properties", .object(properties)),
                JSONMember("required", .array(required)),
            ])
    }

    /// Documents that are made of no type.
    private static let plain: [(String, JSONValue, String)] = [
        (
            "error",
            SchemaText.object([
                (
                    "error",
                    SchemaText.object(
                        [
                            ("code", SchemaText.string), ("message", SchemaText.string),
                            ("hint", SchemaText.string), ("exitStatus", SchemaText.integer),
                            ("line", SchemaText.integer),
                        ], needed: ["code", "message", "exitStatus"])
                )
            ]), "What failed, why, and what to do; `line` is that of a script."
        ),
        (
            "part", SchemaText.object([("lines", SchemaText.array(of: SchemaText.string))]),
            "With --json=lines: lines of a dump that come ahead of its answer."
        ),
        (
            "version", SchemaText.object([("text", SchemaText.string)]), "What --version says."
        ),
        (
            "reached", SchemaText.object([("text", SchemaText.string)]),
            "What `telltale wait` has reached."
        ),
        ("nothing", SchemaText.object([("text", SchemaText.string)]), "A line without a command."),
    ]
}
