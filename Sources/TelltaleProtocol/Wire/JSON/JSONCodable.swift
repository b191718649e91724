#if TELLTALE_COMPILED
/// A value sent over the wire: the parameters of a method, or its answer.
///
/// The compiler's `Codable` says how, unless the type is ``MemberCoded``.
public protocol JSONCodable: Codable, Sendable, Equatable {
    /// Reads a value.
    ///
    /// - Parameter json: The value as JSON.
    /// - Throws: `DecodingError` with the place of the part that does not fit.
    init(json: JSONValue) throws

    /// Writes the value.
    ///
    /// - Returns: The value as JSON.
    /// - Throws: `EncodingError` for a number that JSON can't say.
    func json() throws -> JSONValue
}

extension JSONCodable {
    /// Reads a value as `Codable` does.
    public init(json: JSONValue) throws {
        self = try JSONValueDecoder.decode(Self.self, from: json)
    }

    /// Writes the value as `Codable` does.
    public func json() throws -> JSONValue { try JSONValueEncoder.encode(self) }
}

// Texts and numbers as members of `MemberCoded` types; `Codable` has no part in them.

extension String: JSONCodable {
    /// Reads a text; anything else is a `DecodingError`.
    public init(json: JSONValue) throws { self = try ValueDecoder(json).string() }

    /// The text as JSON.
    public func json() -> JSONValue { .string(self) }
}

extension Bool: JSONCodable {
    /// Reads a Boolean; anything else is a `DecodingError`.
    public init(json: JSONValue) throws { self = try ValueDecoder(json).bool() }

    /// The Boolean as JSON.
    public func json() -> JSONValue { .bool(self) }
}

extension Double: JSONCodable {
    /// Reads a number; anything else is a `DecodingError`.
    public init(json: JSONValue) throws { self = try ValueDecoder(json).float() }

    /// The number as JSON; one that is none is an `EncodingError`.
    public func json() throws -> JSONValue { try JSONValueEncoder.encode(self) }
}

extension FixedWidthInteger where Self: JSONCodable {
    /// Reads a whole number; anything else, or a number out of range, is a `DecodingError`.
    public init(json: JSONValue) throws { self = try ValueDecoder(json).integer() }

    /// The number as JSON.
    public func json() -> JSONValue { .number(self) }
}

extension Int: JSONCodable {}
extension Int32: JSONCodable {}
extension UInt32: JSONCodable {}
extension UInt64: JSONCodable {}

extension ValueDecoder {
    init(_ json: JSONValue) { self.init(value: json, step: nil, isTyped: false) }

    func elements<Value: JSONCodable>(_ type: Value.Type) throws -> [Value] {
        guard case .array(let elements) = value else { throw mismatch([Value].self, "an array") }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do {
                values.append(try Value(json: element))
            } catch let error as DecodingError {
                throw error.below([JSONCodingKey(index: index)])
            }
        }
        return values
    }
}

extension DecodingError {
    /// The error as it is seen from the value that holds the one that was decoded.
    func below(_ path: [any CodingKey]) -> DecodingError {
        func moved(_ context: Context) -> Context {
            Context(
                codingPath: path + context.codingPath, debugDescription: context.debugDescription,
                underlyingError: context.underlyingError)
        }
        return switch self {
        case .keyNotFound(let key, let context): .keyNotFound(key, moved(context))
        case .typeMismatch(let type, let context): .typeMismatch(type, moved(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, moved(context))
        case .dataCorrupted(let context): .dataCorrupted(moved(context))
        @unknown default: self
        }
    }
}
#endif
