#if TELLTALE_COMPILED
/// A list of values as a table, one line for each.
public struct ValueTableForm: JSONCodable {
    /// The properties that are its columns, as a path has them: `title`, `album.name`.
    public var columns: [String]

    package init(columns: [String]) { self.columns = columns }

    /// More columns than these have no room anywhere.
    private static let most = 64
    /// The maximum width of a column that was not chosen by the user.
    private static let widest = 40
    /// The minimum width of a column, with the space beside it.
    private static let narrowest = 10

    /// The names of the properties that some values have, in the order in which they come.
    package static func columns(of rows: [ValueNode]) -> [String] {
        var names: [String] = []
        var known: Set<String> = []
        for row in rows {
            for child in row.children {
                guard let label = child.label, known.count < most else { continue }
                let name = label.first == "." ? String(label.dropFirst()) : label
                if known.insert(name).inserted { names.append(name) }
            }
        }
        return names
    }

    func lines(of value: ValueNode, _ style: TextStyle) -> [String] {
        let rows = value.rows
        guard !rows.isEmpty else { return [] }
        let tree = ValueTree(style: TextStyle())
        let steps = columns.map { try? ValuePath(parsing: $0).fieldSteps }
        let cells = rows.map { row in
            steps.map { steps in
                steps.flatMap { row.part(at: $0) }.map(tree.summary) ?? ""
            }
        }
        // As many as have room at all are narrowed; those behind them go first.
        let room = style.width.map { max(1, $0 / Self.narrowest - 1) } ?? columns.count
        var table = TextTable(
            [.init("at")]
                + columns.indices.map { index in
                    TextTable.Column(
                        columns[index], isNumber: cells.allSatisfy { Self.isNumber($0[index]) },
                        isExtra: index >= room, widest: Self.widest)
                })
        if columns.isEmpty {
            table = TextTable([.init("at"), .init("value")])
            for row in rows { table.add([row.label ?? "", tree.summary(of: row)]) }
        }
        for (row, cells) in zip(rows, cells) where !columns.isEmpty {
            table.add([row.label ?? ""] + cells)
        }
        var lines = table.rendered(style)
        if let cut = value.cut { lines.append(ValueTree.text(of: cut)) }
        return lines + StackText.notes(remarks(of: rows, steps), style)
    }

    /// Returns the notes of the values that the cells show.
    private func remarks(of rows: [ValueNode], _ steps: [[ValuePath.Component]?]) -> [String] {
        rows.flatMap { row in
            let label = row.label ?? "_"
            guard !columns.isEmpty else { return ValueRemarks.lines(of: row, path: label) }
            return zip(columns, steps).flatMap { column, steps in
                steps.flatMap { row.part(at: $0) }
                    .map { ValueRemarks.lines(of: $0, path: "\(label).\(column)") } ?? []
            }
        }
    }

    private static func isNumber(_ cell: String) -> Bool {
        cell.isEmpty || cell == "nil" || Double(cell) != nil
    }
}

extension ValueNode {
    /// The lines of a table: the elements of a collection, or the value itself.
    package var rows: [ValueNode] {
        switch kind {
        case .array, .set, .dictionary: children
        default: [self]
        }
    }
}
#endif
