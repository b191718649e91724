#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

// Structs and collections.
extension LiteralValue {
    func structure(
        _ literal: Literal, as type: Any.Type, current: Any?
    ) throws(CommandFailure) -> Any {
        if let array = type as? any ArrayAccess.Type {
            let elements = try elements(of: literal, type)
            return try fit(
                array.make(try values(of: elements, as: array.element)), literal, type)
        }
        if let set = type as? any SetAccess.Type {
            let elements = try elements(of: literal, type)
            nonisolated(unsafe) let values = try values(of: elements, as: set.element)
            try KeyTrial.check(of: set.element, "\(subject) was not made: the hash of an element") {
                _ = set.make(values)
            }
            return try fit(set.make(values), literal, type)
        }
        if let dictionary = type as? any DictionaryAccess.Type {
            return try entries(literal, as: type, dictionary)
        }
        // A SIMD vector's own `init(from:)` takes its lanes.
        if case .inlineArray(let count, let element) = TypeShape.of(type), !(type is any SIMD.Type)
        {
            return try inlineArray(literal, as: type, count: count, of: element)
        }
        if let range = type as? any RangeAccess.Type { return try self.range(literal, range) }
        let raw = rawValue(of: literal, as: type)
        if raw == nil, let members = members(typedAs: literal, of: type, current: current) {
            return try fit(make(members, as: type, current: current), literal, type)
        }
        // The current value is not passed on: it doesn't affect the remaining attempts, which run host code.
        if let value = try typed?.value(of: literal, as: type, current: nil, self) { return value }
        if let (literal, type) = raw, let value = try represented(literal, as: type) {
            return value
        }
        if let decodable = type as? any Decodable.Type {
            return try decoded(literal, as: decodable)
        }
        if let raw = type as? any RawRepresentable.Type,
            let value = try represented(literal, as: raw)
        {
            return value
        }
        throw untyped(literal, type)
    }

    /// The raw value typed as in `Options(rawValue: 3)`, and the type as a `RawRepresentable`.
    private func rawValue(
        of literal: Literal, as type: Any.Type
    ) -> (Literal, any RawRepresentable.Type)? {
        guard case .made(let name, let arguments) = literal, isName(name, of: type),
            arguments.count == 1, let only = arguments.first, only.label == "rawValue",
            let type = type as? any RawRepresentable.Type
        else { return nil }
        return (only.value, type)
    }

    private func inlineArray(
        _ literal: Literal, as type: Any.Type, count: Int, of element: Any.Type
    ) throws(CommandFailure) -> Any {
        let elements = try elements(of: literal, type)
        guard elements.count == count, !TypeMetadata(element).isNoncopyable else {
            throw CommandFailure(
                .wrongType,
                "\(subject) is \(ChangedType.withArticle(type)): "
                    + Quantity.count(count, "value", "values") + " and not \(elements.count)")
        }
        let values = try values(of: elements, as: element)
        let stride = TypeMetadata(element).stride
        let made = TypedMemory.withMemory(for: type) { memory -> Any? in
            for (index, value) in values.enumerated()
            where !TypedMemory.initialize(memory + index * stride, to: value, as: element) {
                for done in 0..<index {
                    TypedMemory.destroy(element, at: memory + done * stride)
                }
                return nil
            }
            return .some(TypedMemory.take(type, at: memory))
        }
        return try fit(made, literal, type)
    }

    func range(
        _ literal: Literal, _ type: any RangeAccess.Type
    ) throws(CommandFailure) -> Any {
        var parts: (lower: Literal?, upper: Literal?, isClosed: Bool)?
        switch literal {
        case .range(let lower, let upper, let isClosed): parts = (lower, upper, isClosed)
        case .made(let name, let arguments) where isName(name, of: type):
            func bound(_ label: String) -> Literal? {
                arguments.first { $0.label == label }?.value
            }
            parts = (bound("lowerBound"), bound("upperBound"), type.isClosed)
        default: break
        }
        guard let parts else { throw mismatch(literal, type, hint: "write \(type.example)") }
        let lower = try parts.lower.map { literal throws(CommandFailure) in
            try part("'s lower bound", number: number + 1).make(literal, as: type.bound)
        }
        let before = number + 1 + (parts.lower?.size ?? 0)
        let upper = try parts.upper.map { literal throws(CommandFailure) in
            try part("'s upper bound", number: before).make(literal, as: type.bound)
        }
        guard let made = type.make(lower: lower, upper: upper, isClosed: parts.isClosed) else {
            throw mismatch(literal, type, hint: "write \(type.example), the lower bound first")
        }
        return made
    }

    /// Makes a struct from its raw value, such as an option set from its number.
    func represented<Value: RawRepresentable>(
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

    func values(
        of elements: [Literal], as type: Any.Type
    ) throws(CommandFailure) -> [Any] {
        var values: [Any] = []
        var next = number + 1
        for (index, element) in elements.enumerated() {
            values.append(try part("[\(index)]", number: next).make(element, as: type))
            next += element.size
        }
        return values
    }

    private func entries(
        _ literal: Literal, as type: Any.Type, _ dictionary: any DictionaryAccess.Type
    ) throws(CommandFailure) -> Any {
        guard case .dictionary(let entries) = literal else {
            throw mismatch(literal, type, hint: "write [key: value], or [:] for none")
        }
        var made: [(Any, Any)] = []
        var next = number + 1
        for entry in entries {
            let key = try part("'s key", number: next).make(entry.key, as: dictionary.key)
            next += entry.key.size
            let shown = isMasked ? "…" : "\(entry.key)"
            var value = part("[\(shown)]", number: next)
            next += entry.value.size
            if case .string(let name) = entry.key, masks.masks(name: name) {
                value = value.secret
            }
            made.append((key, try value.make(entry.value, as: dictionary.value)))
        }
        nonisolated(unsafe) let pairs = made
        try KeyTrial.check(of: dictionary.key, "\(subject) was not made: the hash of a key") {
            _ = dictionary.make(pairs)
        }
        guard let value = dictionary.make(made) else {
            throw CommandFailure(
                .usage, "\(subject): a key stands twice in what was typed",
                hint: "write each key once")
        }
        return value
    }

    private func decoded(
        _ literal: Literal, as type: any Decodable.Type
    ) throws(CommandFailure) -> Any {
        // The decoder would take a path as a text, not as the value at the path.
        if case .path = literal {
            throw mismatch(literal, type, hint: "write {\"property\": value}")
        }
        guard literal.paths.isEmpty else {
            throw CommandFailure(
                .wrongType,
                "\(subject) is \(ChangedType.withArticle(type)), which is made by its `init(from:)`; a path "
                    + "is not taken in what that reads",
                hint: "write texts in quotes, or all of its stored properties: (x: 1, y: photos.y)")
        }
        if !ChangedType.isOfSystem(type) { decodedTypes?.take(type) }
        // The type's own `init(from:)` runs from here on.
        GuardedReading.rest()
        func decode<Value: Decodable>(_ type: Value.Type) -> Result<Any, CommandFailure> {
            do {
                return .success(
                    try JSONValueDecoder.decode(
                        type, from: literal, formats: ValueFormats.parse))
            } catch {
                let what = "\(subject) is \(ChangedType.withArticle(type))"
                // The type's own error may repeat the typed text.
                return .failure(
                    isMasked || literal.masked(by: masks.names) != literal.description
                        ? CommandFailure(
                            .wrongType,
                            "\(what), and cannot be converted from what was typed")
                        : CommandFailure(decoding: error, what, code: .wrongType))
            }
        }
        return try decode(type).get()
    }

}
#endif
