/// What an option's `list` prints: a line for each name, and what it means in a column beside.
enum AlignedList {
    /// - Parameter rows: Names with what they mean.
    /// - Returns: The lines.
    static func text(_ rows: [(name: String, meaning: String)]) -> String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            row.name + String(repeating: " ", count: width - row.name.count + 2) + row.meaning
        }.joined(separator: "\n")
    }
}
