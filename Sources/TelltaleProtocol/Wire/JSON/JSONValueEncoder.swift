#if TELLTALE_COMPILED
/// Turns `Encodable` values into JSON values.
///
/// Members keep the order in which they are encoded. Several keyed containers of one encoder share
/// one object; a member that is encoded again replaces the earlier one. A value that encodes
/// nothing is an empty object.
public enum JSONValueEncoder {
    /// Encodes a value.
    ///
    /// - Parameter value: Any value.
    /// - Returns: The value as JSON.
    /// - Throws: `EncodingError` for a number that JSON can't say (infinite, not a number), and
    ///   what the value's own code throws.
    public static func encode(_ value: some Encodable) throws -> JSONValue {
        try EncodingNode.encode(value, path: nil)
    }
}
#endif
