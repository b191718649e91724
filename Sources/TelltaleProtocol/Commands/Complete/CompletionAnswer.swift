#if TELLTALE_COMPILED
/// What `complete` answers: how a half-typed line can go on.
public struct CompletionAnswer: Codable, Sendable, Equatable {
    /// Whole replacements for the word that was being typed, sorted.
    public var candidates: [String]
    /// Whether there were more than were sent.
    public var isCut: Bool

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - candidates: Whole replacements for the word that was being typed.
    ///   - isCut: Whether there were more than were sent.
    public init(candidates: [String], isCut: Bool) {
        self.candidates = candidates
        self.isCut = isCut
    }
}
#endif
