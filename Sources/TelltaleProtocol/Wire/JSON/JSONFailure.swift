#if TELLTALE_COMPILED
/// Why a text is no JSON, and where.
public struct JSONFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The first byte that does not fit, from 0.
    public var offset: Int
    /// What is wrong there.
    public var message: String

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - offset: The first byte that does not fit, from 0.
    ///   - message: What is wrong there.
    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    /// The message with its place.
    public var description: String { "\(message) at byte \(offset)" }
}
#endif
