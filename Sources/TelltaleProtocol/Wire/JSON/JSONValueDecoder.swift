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
    /// - Throws: `DecodingError` with the coding path, and what the type's own code throws.
    ///   ``CommandFailure/init(decoding:_:code:)`` makes a sentence of it.
    public static func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
        try ValueDecoder(value: value, step: nil, isTyped: false).decode(type)
    }

    /// Decodes a value that was typed, such as an action's argument.
    ///
    /// As ``decode(_:from:)``, but `.done` is both the string `"done"` and a case without payload.
    /// - Parameters:
    ///   - type: What to make.
    ///   - literal: What was typed.
    /// - Returns: The value.
    /// - Throws: `DecodingError` with the coding path, and what the type's own code throws.
    public static func decode<T: Decodable>(_ type: T.Type, from literal: Literal) throws -> T {
        try ValueDecoder(value: literal.jsonValue, step: nil, isTyped: true).decode(type)
    }
}
#endif
