#if TELLTALE_COMPILED
/// One member of a JSON object.
public struct JSONMember: Sendable, Equatable {
    /// Its name.
    public var key: String
    /// Its value.
    public var value: JSONValue

    /// Makes a member.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - value: Its value.
    public init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}
#endif
