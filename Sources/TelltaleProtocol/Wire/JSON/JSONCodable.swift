#if TELLTALE_COMPILED
/// A value that goes over the wire: the parameters of a method, or what it answers.
///
/// The compiler's `Codable` says how, unless the type is ``MemberCoded``.
public protocol JSONCodable: Codable, Sendable, Equatable {
    /// Reads a value.
    ///
    /// - Parameter json: The value as JSON.
    /// - Throws: `DecodingError` with the place of what does not fit.
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
#endif
