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

/// An enum in an answer, of which a newer agent may have another case: `nil` if it isn't known
/// here.
@propertyWrapper
public struct IfKnown<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// The value; `nil` if it was left out, or if this code doesn't know it.
    public var wrappedValue: Value?

    /// Wraps a value.
    ///
    /// - Parameter wrappedValue: The value.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Reads it, if it is known.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try? Value(from: decoder)
    }

    /// Writes it as it is.
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue?.encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// Called by the compiler's decoding, also if the member was left out.
    public func decode<Value>(_ type: IfKnown<Value>.Type, forKey key: Key) throws -> IfKnown<Value>
    {
        try decodeIfPresent(type, forKey: key) ?? IfKnown(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Called by the compiler's encoding; `nil` is left out.
    public mutating func encode<Value>(_ value: IfKnown<Value>, forKey key: Key) throws {
        guard let known = value.wrappedValue else { return }
        try encode(known, forKey: key)
    }
}
#endif
