#if TELLTALE_COMPILED
/// Makes `Decodable` values of JSON values.
///
/// Members that a type does not ask for are skipped. A number fits a type when nothing of it is
/// lost, except that any number fits a `Double` and a `Float` that can come near it.
public enum JSONValueDecoder {
    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: What to make.
    ///   - value: The JSON value.
    /// - Returns: The value.
    /// - Throws: `DecodingError` with the coding path, and errors of the type's own code.
    ///   ``CommandFailure/init(decoding:_:code:)`` makes a sentence of it.
    public static func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
        try ValueDecoder(value: value, step: nil, isTyped: false).decode(type)
    }

    /// Decodes a value that was typed.
    ///
    /// As ``decode(_:from:)``, but `.done` is both the string `"done"` and a case without payload;
    /// a member that nothing asks for is refused; and Foundation's types get only values that don't
    /// end the process.
    /// - Parameters:
    ///   - type: What to make.
    ///   - literal: What was typed.
    ///   - formats: Makes a value of a type from a text, where it has a format of its own; it comes before
    ///     the type's `init(from:)`.
    /// - Returns: The value.
    /// - Throws: `DecodingError` with the coding path, and errors of the type's own code.
    public static func decode<T: Decodable>(
        _ type: T.Type, from literal: Literal, formats: ((Any.Type, String) -> Any?)? = nil
    ) throws -> T {
        let (value, asked) = (literal.jsonValue, AskedMembers())
        let made = try ValueDecoder(
            value: value, step: nil, isTyped: true, isChecked: true, formats: formats, asked: asked
        ).decode(type)
        if let name = asked.unasked(in: value) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [],
                    debugDescription:
                        "its `init(from:)` does not ask for '\(NameFormat.typed(name))'"))
        }
        return made
    }

    /// Decodes a value given by a client for the service, such as an action's argument.
    ///
    /// As ``decode(_:from:)``, but Foundation's types get only values that don't end the process.
    /// - Parameters:
    ///   - type: What to make.
    ///   - value: The JSON value.
    ///   - formats: Makes a value of a type from a text, where it has a format of its own; it comes before
    ///     the type's `init(from:)`.
    /// - Returns: The value.
    /// - Throws: `DecodingError` with the coding path, and errors of the type's own code.
    package static func decode<T: Decodable>(
        _ type: T.Type, given value: JSONValue, formats: ((Any.Type, String) -> Any?)? = nil
    ) throws -> T {
        try ValueDecoder(
            value: value, step: nil, isTyped: false, isChecked: true, formats: formats
        ).decode(type)
    }
}

struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: JSONValue
    let step: CodingStep?
    /// Indicates that the value was typed as a literal, in which `.done` is a string and may stand
    /// for a whole case.
    let isTyped: Bool
    /// Indicates that the value comes from a client, which must not crash the service: see
    /// ``CheckedDecoding``.
    var isChecked = false
    var formats: ((Any.Type, String) -> Any?)?
    var asked: AskedMembers?

    var codingPath: [any CodingKey] { CodingStep.path(step) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var isNull: Bool { value == .null }

    func below(_ key: any CodingKey, _ value: JSONValue) -> ValueDecoder {
        ValueDecoder(
            value: value, step: CodingStep(key, after: step), isTyped: isTyped,
            isChecked: isChecked, formats: formats, asked: asked?.part(key))
    }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let members: [JSONMember]
        switch value {
        case .object(let object): members = object
        case .string(let name) where isTyped:
            // The compiler's Codable writes this for a case without payload.
            members = [JSONMember(name, .object([]))]
        default: throw mismatch([String: JSONValue].self, "an object")
        }
        asked?.open()
        return KeyedDecodingContainer(
            KeyedDecoding<Key>(members: DecodingMembers(members), decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else {
            throw mismatch([JSONValue].self, "an array")
        }
        return UnkeyedDecoding(elements: elements, decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    // MARK: Values

    // The generic methods implement those of each numeric type that the protocols ask for.
    func decodeNil() -> Bool { isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try bool() }
    func decode(_ type: String.Type) throws -> String { try string() }
    func decode(_ type: Double.Type) throws -> Double { try float() }
    func decode(_ type: Float.Type) throws -> Float { try float() }
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T { try integer() }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if type == JSONValue.self, let value = value as? T { return value }
        // Not cast before it is known to be there: to an optional nothing is a value.
        if let formats, case .string(let text) = value, let made = formats(type, text),
            let made = made as? T
        {
            return made
        }
        if isChecked, let obstacle = CheckedDecoding.obstacle(type, from: value) {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: obstacle))
        }
        return try T(from: self)
    }

    func bool() throws -> Bool {
        guard case .bool(let bool) = value else { throw mismatch(Bool.self, "a Bool") }
        return bool
    }

    func string() throws -> String {
        guard case .string(let string) = value else { throw mismatch(String.self, "a String") }
        return string
    }

    func integer<T: FixedWidthInteger>() throws -> T {
        let exact: T?
        switch value {
        case .integer(let integer): exact = T(exactly: integer)
        case .unsigned(let unsigned): exact = T(exactly: unsigned)
        case .double(let double):
            // From here on a Double represents several whole numbers, one of which was meant.
            exact = double.magnitude < 0x1p53 ? T(exactly: double) : nil
        default: throw mismatch(T.self, "an integer")
        }
        guard let exact else { throw unfit("\(T.self)") }
        return exact
    }

    func float<T: BinaryFloatingPoint & LosslessStringConvertible>() throws -> T {
        let number: T
        switch value {
        case .integer(let integer): number = T(integer)
        case .unsigned(let unsigned): number = T(unsigned)
        case .double(let double):
            number = T(double)
            guard number.isFinite || !double.isFinite else { throw unfit("\(T.self)") }
        default: throw mismatch(T.self, "a number")
        }
        return number
    }

    func mismatch(_ type: any Any.Type, _ wanted: String) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath,
            debugDescription: "expected \(wanted), found \(value.kindDescription)")
        return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func unfit(_ type: String) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: codingPath,
                debugDescription: "\(value.serialized()) does not fit \(type)"))
    }
}

/// The members of an object, and of nested objects, that a type's `init(from:)` has asked for.
///
/// A member that was never asked for has no part in the result: its name was mistyped.
final class AskedMembers {
    /// `nil` if it was not decoded as an object.
    private var names: Set<String>?
    private var parts: [String: AskedMembers] = [:]

    /// Called when it is decoded as an object.
    func open() { names = names ?? [] }

    func ask(_ name: String) { names?.insert(name) }

    /// The members of one inside of it.
    func part(_ key: any CodingKey) -> AskedMembers {
        if let part = parts[key.stringValue] { return part }
        let part = AskedMembers()
        parts[key.stringValue] = part
        return part
    }

    /// The first member that was never asked for.
    func unasked(in value: JSONValue) -> String? {
        switch value {
        case .object(let members):
            guard let names else { return nil }
            for member in members {
                guard names.contains(member.key) else { return member.key }
                if let name = parts[member.key]?.unasked(in: member.value) { return name }
            }
        case .array(let elements):
            guard !parts.isEmpty else { return nil }
            for (index, element) in elements.enumerated() {
                let key = JSONCodingKey(index: index).stringValue
                if let name = parts[key]?.unasked(in: element) { return name }
            }
        default: break
        }
        return nil
    }
}
#endif
