#if TELLTALE_COMPILED
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
