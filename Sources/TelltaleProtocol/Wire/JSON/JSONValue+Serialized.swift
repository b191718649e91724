#if TELLTALE_COMPILED
extension JSONValue {
    /// The value as JSON text.
    ///
    /// Control characters, C1 and bidirectional controls included, are written as escapes, so that
    /// the text is one line and can be shown on a terminal. A `Double` that JSON can't say
    /// (infinite, not a number) is written as `null`.
    /// - Parameter pretty: Whether every member and element gets its own line.
    /// - Returns: The text, without a line end.
    public func serialized(pretty: Bool = false) -> String {
        String(decoding: serializedBytes(pretty: pretty), as: UTF8.self)
    }

    /// The value as JSON text in UTF-8; see ``serialized(pretty:)``.
    ///
    /// - Parameter pretty: Whether every member and element gets its own line.
    /// - Returns: The bytes, without a line end.
    public func serializedBytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.write(self)
        return writer.bytes
    }
}
#endif
