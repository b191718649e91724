#if TELLTALE_COMPILED
/// The matches of `--match` in a value.
public struct ValueMatches: MemberCoded {
    /// The text searched for.
    public var word: String
    /// The names and values with the word in them, each with its whole path as its label.
    public var found: [ValueNode] = []
    /// The number of matches, shown or not.
    public var total = 0
    /// The number of values searched.
    public var looked = 0
    /// Values that could not be searched, with the reason.
    public var notes: [String] = []

    package init(word: String) { self.word = word }

    /// An empty one, to be read into.
    public init() { self.init(word: "") }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("word", &word)
        coder.member("found", &found)
        coder.member("total", &total)
        coder.member("looked", &looked)
        coder.member("notes", &notes)
    }

    func lines(_ style: TextStyle) -> [String] {
        let tree = ValueTree(style: style)
        var lines = found.map { tree.firstLine(of: $0, label: $0.label ?? "_", remarks: []) }
        let more = total &- found.count
        if more > 0 {
            lines.append(Quantity.more(more, by: "--limit \(total)"))
        }
        let times = Quantity.count(total, "match", "matches")
        lines.append(
            "\(times) of \(Literal.quoted(word)) in \(Quantity.count(looked, "value", "values"))")
        return lines + StackText.notes(notes, style)
    }
}
#endif
