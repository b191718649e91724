/// The output of an option's `list`: a line for each name, with its meaning in a second column.
enum AlignedList {
    /// - Parameter rows: Names with their meanings.
    /// - Returns: The lines.
    static func text(_ rows: [(name: String, meaning: String)]) -> String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            row.name + String(repeating: " ", count: width - row.name.count + 2) + row.meaning
        }.joined(separator: "\n")
    }
}
