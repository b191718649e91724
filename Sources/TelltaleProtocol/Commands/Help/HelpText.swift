#if TELLTALE_COMPILED
/// Pages of help on a terminal that is narrower than they were written.
package enum HelpText {
    /// Joins the lines of each paragraph if some line doesn't fit; the others stay as they were
    /// written.
    static func joined(_ lines: [String], _ style: TextStyle) -> [String] {
        guard let width = style.width, lines.contains(where: { $0.columns > width }) else {
            return lines
        }
        var paragraphs: [String] = []
        for line in lines {
            if let last = paragraphs.last, isProse(last), isProse(line), !last.hasSuffix(".") {
                paragraphs[paragraphs.count - 1] = last + " " + line.drop { $0 == " " }
            } else {
                paragraphs.append(line)
            }
        }
        return paragraphs
    }

    /// Lines that don't fit continue below their second column, if they have one.
    package static func laidOut(_ lines: [String], _ style: TextStyle) -> [String] {
        guard let width = style.width else { return lines }
        return lines.flatMap { $0.wrapped(to: width, indent: indent(of: $0, width)) }
    }

    private static func indent(of line: String, _ width: Int) -> Int {
        if let column = secondColumn(of: line), column * 2 <= width { return column }
        return isProse(line) ? proseIndent : 6
    }

    private static let proseIndent = 2

    /// Returns whether a line is prose: indented like prose, without columns.
    private static func isProse(_ line: String) -> Bool {
        line.prefix { $0 == " " }.count == proseIndent && secondColumn(of: line) == nil
            && !line.hasPrefix("  --")
    }

    /// Returns the start of a line's second column: after two or more spaces.
    private static func secondColumn(of line: String) -> Int? {
        guard let start = line.firstIndex(where: { $0 != " " }) else { return nil }
        var index = start
        while index < line.endIndex {
            let rest = line[index...]
            if rest.hasPrefix("  "), let end = rest.firstIndex(where: { $0 != " " }) {
                return line[..<end].columns
            }
            index = line.index(after: index)
        }
        return nil
    }
}
#endif
