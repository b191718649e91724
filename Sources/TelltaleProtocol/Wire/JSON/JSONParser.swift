#if TELLTALE_COMPILED
/// Reads JSON (RFC 8259), strictly: no comments, no trailing commas, UTF-8 only.
///
/// An integer that fits 64 bits stays one; any other number becomes the nearest `Double`, and one
/// that no finite `Double` is near to is refused.
public enum JSONParser {
    /// Reads one value that takes the whole text.
    ///
    /// - Parameters:
    ///   - bytes: The text as UTF-8.
    ///   - limits: What is taken at most.
    /// - Returns: The value.
    /// - Throws: ``JSONFailure`` with the place of the first byte that does not fit.
    /// - Complexity: O(*n*) in the number of bytes.
    public static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .init()
    ) throws(JSONFailure) -> JSONValue {
        guard bytes.count <= limits.maximumBytes else {
            throw JSONFailure(
                offset: limits.maximumBytes,
                message:
                    "\(Quantity.count(bytes.count)) bytes of JSON, "
                    + "\(Quantity.count(limits.maximumBytes)) are allowed, so it ends"
            )
        }
        let result = bytes.withUnsafeBytes { raw -> Result<JSONValue, JSONFailure> in
            var reader = JSONReader(bytes: raw, maximumDepth: limits.maximumDepth)
            return Result { () throws(JSONFailure) in try reader.document() }
        }
        return try result.get()
    }
}

/// The limits of the parser. Text beyond them fails with a sentence; nothing is cut.
public struct JSONLimits: Sendable, Equatable {
    /// The maximum nesting of arrays and objects.
    ///
    /// The parser and the decoders go one call deeper a level, so raising it costs stack: about
    /// 2 KiB a level in a debug build.
    public var maximumDepth: Int
    /// The maximum length of the text, in bytes. The value takes several times as much memory.
    public var maximumBytes: Int

    /// The limits of a request: 64 levels in 1 MiB.
    public static let request = JSONLimits(maximumDepth: 64, maximumBytes: 1 << 20)
    /// The limits of an answer: 256 levels in 65 MiB: an agent sends at most 64, and the envelope
    /// is small.
    ///
    /// A level of a shown value takes two: its object, and the array of its children.
    public static let answer = JSONLimits(maximumDepth: 256, maximumBytes: 65 << 20)

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - maximumDepth: How deep arrays and objects may be nested.
    ///   - maximumBytes: How many bytes the text may have.
    public init(maximumDepth: Int = 64, maximumBytes: Int = 256 << 20) {
        self.maximumDepth = maximumDepth
        self.maximumBytes = maximumBytes
    }
}

/// The reason that a text is not JSON, and the position.
public struct JSONFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The first byte that does not fit, from 0.
    public var offset: Int
    /// The problem at that position.
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
