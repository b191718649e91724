#if TELLTALE_COMPILED
/// What `--match` found in a value.
public struct ValueMatches: MemberCoded {
    /// What was sought.
    public var word: String
    /// The names and values with the word in them, each with its whole path as its label.
    public var found: [ValueNode] = []
    /// How many there are, shown or not.
    public var total = 0
    /// How many values were looked at.
    public var looked = 0
    /// What could not be looked at, and why.
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
