import TelltaleProtocol

/// Rows of words in columns, each as wide as its widest word.
struct ColumnText {
    private var rows: [(cells: [String], tail: String?)] = []

    /// Adds a row; what others wrote is made safe for a terminal here.
    ///
    /// - Parameters:
    ///   - cells: One word for each column, from the left.
    ///   - tail: Text behind the last cell that makes no column wider.
    mutating func append(_ cells: [String], tail: String? = nil) {
        rows.append((cells.map { Self.shown($0) }, tail.map(Self.shown)))
    }

    /// One process's name must not push all others out of sight.
    private static let widest = 64

    private static func shown(_ text: String) -> String { text.terminalSafe.clipped(to: widest) }

    /// The rows, without spaces at their ends.
    var lines: [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.cells.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.columns)
            }
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.cells.enumerated() {
                line += cell + String(repeating: " ", count: widths[column] - cell.columns + 2)
            }
            line += row.tail ?? ""
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
