#if TELLTALE_COMPILED
/// What `complete` answers: how a half-typed line can go on.
public struct CompletionAnswer: CommandAnswer {
    package static let kind = "completion"

    /// Whole replacements for the word that was being typed, sorted.
    public var candidates: [String]
    /// Whether there were more than were sent.
    public var isCut: Bool

    package init(candidates: [String], isCut: Bool) {
        self.candidates = candidates
        self.isCut = isCut
    }

    package func lines(_ style: TextStyle) -> [String] { candidates + (isCut ? ["… more"] : []) }
}
#endif
