#if TELLTALE_COMPILED
/// What the parser takes at most. Beyond it fails with a sentence; nothing is cut.
public struct JSONLimits: Sendable, Equatable {
    /// How deep arrays and objects may be nested.
    ///
    /// The parser and the decoders go one call deeper a level, so raising it costs stack: about
    /// 2 KiB a level in a debug build.
    public var maximumDepth: Int
    /// How many bytes the text may have. The value takes several times as much memory.
    public var maximumBytes: Int

    /// What a request may have: 64 levels in 1 MiB.
    public static let request = JSONLimits(maximumDepth: 64, maximumBytes: 1 << 20)
    /// What an answer may have: 256 levels in 65 MiB: an agent sends at most 64, and the envelope is small.
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
#endif
