#if TELLTALE_COMPILED
/// What `help` answers.
public struct HelpAnswer: Codable, Sendable, Equatable {
    /// The text, one element a line.
    public var lines: [String]

    /// Makes the answer.
    ///
    /// - Parameter lines: The text, one element a line.
    public init(lines: [String]) { self.lines = lines }
}
#endif
