#if TELLTALE_COMPILED
/// The answer to `dump`. Its lines are sent ahead as `part` notifications while it is made.
public struct DumpAnswer: StreamedAnswer {
    package static let kind = "dump"

    /// Its number; `d7` on the screen.
    public var id: Int
    /// The time it began, UTC with milliseconds.
    public var time: String
    /// All lines, each with the prefix, without line ends.
    public var lines: [String]
    /// The number of things that were asked for but not available.
    public var missing: Int
    /// The file it was also written to, if one was asked for.
    public var file: String?

    package init(id: Int, time: String, lines: [String], missing: Int, file: String?) {
        self.id = id
        self.time = time
        self.lines = lines
        self.missing = missing
        self.file = file
    }

    package var again: String { "dump d\(id)" }

    package func lines(_ style: TextStyle) -> [String] {
        guard let file else { return lines }
        let gap = missing > 0 ? ", missing=\(missing)" : ""
        return ["\(again): \(lines.count) lines written to \(file)\(gap)"]
    }
}
#endif
