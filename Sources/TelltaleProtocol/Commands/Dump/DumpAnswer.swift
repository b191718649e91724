#if TELLTALE_COMPILED
/// What `dump` answers. While it is being made, its lines come ahead as `part` notifications.
public struct DumpAnswer: StreamedAnswer {
    package static let kind = "dump"

    /// Its number; `d7` on the screen.
    public var id: Int
    /// When it began, UTC with milliseconds.
    public var time: String
    /// All lines, each with the prefix, without line ends.
    public var lines: [String]
    /// How many things were asked for and not had.
    public var missing: Int
    /// Where it was written too, when a file was asked for.
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
        return ["\(again): \(lines.count) lines written to \(file)"]
    }
}
#endif
