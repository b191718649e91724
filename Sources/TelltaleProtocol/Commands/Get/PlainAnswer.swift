#if TELLTALE_COMPILED
/// What `get` answers: what `show` does, rendered as the value alone, as it would be typed.
public struct PlainAnswer: CommandAnswer, MemberCoded {
    package static let kind = "plain"

    /// The value, and how it was read.
    public var shown: ValueAnswer

    package init(_ shown: ValueAnswer) { self.shown = shown }

    /// An empty one, to be read into.
    public init() { shown = ValueAnswer() }

    /// Names the members of the value's answer.
    public mutating func code(_ coder: inout MemberCoder) { shown.code(&coder) }

    package func lines(_ style: TextStyle) -> [String] {
        [PlainValue(style: style).text(of: shown.value)]
    }

    package var exitStatus: ExitStatus { shown.exitStatus }
}
#endif
