#if TELLTALE_AGENT
/// What the first line of a dump says of it: by which process of which service it was written.
struct DumpHeading: Equatable {
    let pid: Int32
    let id: Int
    let time: String
    /// As the line has it.
    let name: String

    /// Reads `telltale[4242] d1 BEGIN 2026-01-01T00:00:00Z photo-manager up=…`; nil for anything else.
    init?(line: some StringProtocol) {
        let words = Substring(line).split(
            separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
        guard words.count == 5, words[0].hasPrefix("telltale["), words[0].hasSuffix("]"),
            let pid = Int32(words[0].dropFirst(9).dropLast()), words[1].hasPrefix("d"),
            let id = Int(words[1].dropFirst()), words[2] == "BEGIN", !words[3].isEmpty
        else { return nil }
        self.pid = pid
        self.id = id
        time = String(words[3])
        // A name may hold spaces, and what follows it does not hold this.
        var rest = words[4]
        guard let last = Self.last(" up=", in: rest) else { return nil }
        rest = rest[..<last]
        name = String(rest)
    }

    /// Reads the heading of a file that holds one whole dump and nothing else.
    ///
    /// - Parameters:
    ///   - beginning: The file's first bytes.
    ///   - end: Its last.
    init?(beginning: String, end: String) {
        guard let first = beginning.split(separator: "\n", maxSplits: 1).first,
            let heading = DumpHeading(line: first), end.hasSuffix("\n"),
            let last = end.split(separator: "\n").last,
            last.hasPrefix("telltale[\(heading.pid)] d\(heading.id) END ")
        else { return nil }
        self = heading
    }

    private static func last(_ text: String, in line: Substring) -> Substring.Index? {
        line.indices.last { line[$0...].hasPrefix(text) }
    }
}
#endif
