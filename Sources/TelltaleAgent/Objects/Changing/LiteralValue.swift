#if TELLTALE_AGENT
import TelltaleProtocol

/// Makes values of what was typed, by the type that they are for.
///
/// No code of the host runs but the `init(from:)` of a struct that is `Decodable` and has no
/// format of its own, and the `init(rawValue:)` of one that is not.
struct LiteralValue {
    /// What the value is for, as it stands in a failure: `photos.prompt`.
    let subject: String
    /// Whether what was typed must not be repeated.
    let isMasked: Bool
    /// What is secret of the parts of what was typed.
    let masks: MaskPolicy

    /// A value of exactly `type`. What stands there now decides where that is `Any` or another
    /// existential.
    ///
    /// - Throws: Why it is none, and what would be.
    func make(
        _ literal: Literal, as type: Any.Type, current: Any? = nil
    ) throws(CommandFailure) -> Any {
        if let optional = type as? any OptionalAccess.Type {
            if case .null = literal { return try fit(optional.wrap(nil), literal, type) }
            let inner = optional.wrapped
            let wrapped: Any
            do throws(CommandFailure) {
                wrapped = try make(literal, as: inner, current: current)
            } catch {
                // The type that was declared is the one to name.
                throw error.renamed(
                    from: ChangedType.withArticle(inner), to: ChangedType.withArticle(type))
            }
            return try fit(optional.wrap(wrapped), literal, type)
        }
        if let format = ValueFormats.format(for: type), format.isTyped {
            return try formatted(literal, as: type, format)
        }
        if let scalar = type as? any TypedScalar.Type {
            guard let value = scalar.make(literal) else {
                throw mismatch(literal, type, hint: scalar.hint(for: literal))
            }
            return value
        }
        switch TypeMetadata(type).kind {
        case .structure: return try structure(literal, as: type)
        case .enumeration: return try enumeration(literal, as: type)
        case .tuple: return try tuple(literal, as: type)
        case .existential, .extendedExistential:
            return try existential(literal, as: type, current: current)
        case .classType, .foreignClass:
            throw CommandFailure(
                .unsupported,
                "\(subject) is \(ChangedType.withArticle(type)), and an object can't be typed",
                hint: "set its properties: \(subject).NAME = VALUE")
        default:
            throw CommandFailure(
                .unsupported,
                "\(subject) is \(ChangedType.withArticle(type)), which has no values that can "
                    + "be typed")
        }
    }

    // MARK: Structs and collections

    private func structure(_ literal: Literal, as type: Any.Type) throws(CommandFailure) -> Any {
        if let array = type as? any ArrayAccess.Type {
            let elements = try elements(of: literal, type)
            return try fit(
                array.make(try values(of: elements, as: array.element)), literal, type)
        }
        if let set = type as? any SetAccess.Type {
            try checkHashing(set.element, of: type)
            let elements = try elements(of: literal, type)
            return try fit(set.make(try values(of: elements, as: set.element)), literal, type)
        }
        if let dictionary = type as? any DictionaryAccess.Type {
            return try entries(literal, as: type, dictionary)
        }
        if let decodable = type as? any Decodable.Type {
            return try decoded(literal, as: decodable)
        }
        if let raw = type as? any RawRepresentable.Type,
            let value = try represented(literal, as: raw)
        {
            return value
        }
        let names = FieldCache.fields(of: type).map(\.shownName).prefix(3)
        throw CommandFailure(
            .unsupported,
            "\(subject) is \(ChangedType.withArticle(type)), which is not Decodable, so it can't "
                + "be typed as a whole",
            hint: names.isEmpty
                ? nil
                : "set its properties: "
                    + names.map { "\(subject).\($0)" }.joined(separator: ", "))
    }

    /// A struct by its raw value, such as an option set by its number.
    private func represented<Value: RawRepresentable>(
        _ literal: Literal, as type: Value.Type
    ) throws(CommandFailure) -> Any? {
        guard Value.RawValue.self is any TypedScalar.Type,
            let raw = try make(literal, as: Value.RawValue.self) as? Value.RawValue
        else { return nil }
        guard let value = Value(rawValue: raw) else {
            throw mismatch(literal, type, hint: nil)
        }
        return value
    }

    private func elements(
        of literal: Literal, _ type: Any.Type
    ) throws(CommandFailure) -> [Literal] {
        guard case .array(let elements) = literal else {
            throw mismatch(literal, type, hint: "write [a, b], or [] for none")
        }
        return elements
    }

    private func values(
        of elements: [Literal], as type: Any.Type
    ) throws(CommandFailure) -> [Any] {
        var values: [Any] = []
        for (index, element) in elements.enumerated() {
            values.append(try part("[\(index)]").make(element, as: type))
        }
        return values
    }

    private func entries(
        _ literal: Literal, as type: Any.Type, _ dictionary: any DictionaryAccess.Type
    ) throws(CommandFailure) -> Any {
        guard case .dictionary(let entries) = literal else {
            throw mismatch(literal, type, hint: "write [key: value], or [:] for none")
        }
        try checkHashing(dictionary.key, of: type)
        var made: [(Any, Any)] = []
        for entry in entries {
            let key = try part("'s key").make(entry.key, as: dictionary.key)
            let shown = isMasked ? "…" : "\(entry.key)"
            var value = part("[\(shown)]")
            if case .string(let name) = entry.key, masks.masks(name: name) {
                value = value.secret
            }
            made.append((key, try value.make(entry.value, as: dictionary.value)))
        }
        guard let value = dictionary.make(made) else {
            throw CommandFailure(
                .usage, "\(subject): a key stands twice in what was typed",
                hint: "write each key once")
        }
        return value
    }

    /// Keys and elements are hashed and compared; that is done for types whose code is known.
    func checkHashing(_ key: Any.Type, of type: Any.Type) throws(CommandFailure) {
        guard key is any TypedScalar.Type || ValueFormats.format(for: key)?.isTyped == true else {
            throw CommandFailure(
                .unsupported,
                "\(subject) is \(ChangedType.withArticle(type)): the agent does not run the "
                    + "hashing of \(TypeNames.name(of: key))")
        }
    }

    private func decoded(
        _ literal: Literal, as type: any Decodable.Type
    ) throws(CommandFailure) -> Any {
        func decode<Value: Decodable>(_ type: Value.Type) -> Result<Any, CommandFailure> {
            do {
                return .success(try JSONValueDecoder.decode(type, from: literal))
            } catch {
                let what = "\(subject) is \(ChangedType.withArticle(type))"
                // A type's own error may repeat what was typed.
                return .failure(
                    isMasked || literal.masked(by: masks.names) != literal.description
                        ? CommandFailure(
                            .wrongType, "\(what); the value does not decode as one")
                        : CommandFailure(decoding: error, what, code: .wrongType))
            }
        }
        return try decode(type).get()
    }

    // MARK: Formats and failures

    private func formatted(
        _ literal: Literal, as type: Any.Type, _ format: ValueFormat
    ) throws(CommandFailure) -> Any {
        let text: String? =
            switch literal {
            case .string(let text): format.style == .quoted ? text : nil
            case .integer(let text), .float(let text): format.style == .number ? text : nil
            default: nil
            }
        guard let text else { throw mismatch(literal, type, hint: "write \(format.example)") }
        guard let value = format.parse(text) else {
            throw CommandFailure(
                .wrongType,
                "\(subject) is \(ChangedType.withArticle(type)); "
                    + repeated(literal) + " is none",
                hint: "write \(format.example)")
        }
        return value
    }

    func part(_ step: String) -> LiteralValue {
        LiteralValue(subject: subject + step, isMasked: isMasked, masks: masks)
    }

    /// The same for what must not be repeated.
    var secret: LiteralValue { LiteralValue(subject: subject, isMasked: true, masks: masks) }

    /// What was typed, as far as it may be repeated.
    private func repeated(_ literal: Literal) -> String {
        guard !isMasked else { return "the value" }
        let text = literal.masked(by: masks.names)
        return text.utf8.count <= 60 ? text : String(text.prefix(48)) + "…"
    }

    func fit(
        _ value: Any?, _ literal: Literal, _ type: Any.Type
    ) throws(CommandFailure) -> Any {
        guard let value else { throw mismatch(literal, type, hint: nil) }
        return value
    }

    func mismatch(_ literal: Literal, _ type: Any.Type, hint: String?) -> CommandFailure {
        let what = "\(subject) is \(ChangedType.withArticle(type))"
        let hint = isMasked ? nil : hint
        if case .null = literal {
            return CommandFailure(.wrongType, "\(what) and can't be nil", hint: hint)
        }
        if let range = (type as? any TypedScalar.Type)?.range, case .integer = literal {
            return CommandFailure(
                .wrongType,
                "\(what); \(repeated(literal)) is out of its range",
                hint: "from \(range.0) to \(range.1)")
        }
        let kind =
            if case .enumCase = literal { "a case" } else { literal.typeDescription }
        return CommandFailure(
            .wrongType,
            "\(what); \(repeated(literal)) is \(kind)",
            hint: hint)
    }
}

extension CommandFailure {
    /// The same failure with another type's name in its sentence.
    func renamed(from old: String, to new: String) -> CommandFailure {
        guard let range = message.firstRange(of: " is \(old)") else { return self }
        var renamed = self
        renamed.message.replaceSubrange(range, with: " is \(new)")
        return renamed
    }
}
#endif
