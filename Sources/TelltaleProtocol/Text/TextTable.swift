#if TELLTALE_COMPILED
/// An aligned table whose header is upper case; cells are escaped here.
package struct TextTable {
    package struct Column {
        var title: String
        var isNumber: Bool
        /// Indicates a column that is left out, with a note, if all columns together are too wide.
        var isExtra: Bool
        /// Cut at its start: of `com.telltale.photos` the end tells most.
        var keepsEnd: Bool
        /// No cell takes more columns of the terminal, however many there are.
        var widest: Int
        /// Moves the cells below their rows, uncut, if all columns together are too wide. Cells of
        /// the last column move only if they are too long for the remaining width.
        var goesBelow: Bool
        /// Indicates that a cell below its row has the column's title before it.
        var isTitledBelow: Bool
        /// Indicates that extra columns are left out before the cells move below.
        var staysLonger: Bool

        /// Makes a column with a title in the header; the cells of numbers are right-aligned.
        package init(
            _ title: String, isNumber: Bool = false, isExtra: Bool = false,
            keepsEnd: Bool = false, widest: Int = .max, goesBelow: Bool = false,
            isTitledBelow: Bool = true, staysLonger: Bool = false
        ) {
            self.title = title.uppercased()
            self.isNumber = isNumber
            self.isExtra = isExtra
            self.keepsEnd = keepsEnd
            self.widest = widest
            self.goesBelow = goesBelow
            self.isTitledBelow = isTitledBelow
            self.staysLonger = staysLonger
        }
    }

    /// A row: its cells, the text in place of missing ones, and the cells below it.
    private struct Row {
        var cells: [String]
        var tail: String?
        var paint: TextStyle.Paint?
        var below: [(title: String?, text: String)] = []
    }

    /// The minimum width left for the last column; with less, all of its cells move below.
    private static let leastLeft = 16
    /// The indentation of lines below a row.
    private static let indent = 4

    /// No column is made narrower than this to fit a terminal.
    private static let narrowest = 8
    private static let separator = "  "

    private var columns: [Column]
    private var rows: [Row] = []

    /// Makes a table without rows.
    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; an empty cell is shown as `-`, missing cells too. A `tail` is shown in place of
    /// missing cells, and makes no column wider.
    package mutating func add(_ cells: [String], tail: String? = nil) {
        add(cells, tail: tail, paint: nil)
    }

    /// Adds a row, painted as a whole; with nil its first cell is bold.
    mutating func add(_ cells: [String], tail: String? = nil, paint: TextStyle.Paint?) {
        let count = tail == nil ? columns.count : min(cells.count, columns.count)
        let escaped = (0..<count).map { index in
            index < cells.count && !cells[index].isEmpty
                ? cells[index].escaped.clipped(to: columns[index].widest) : "-"
        }
        rows.append(Row(cells: escaped, tail: tail?.escaped, paint: paint))
    }

    /// Lays the table out: the header and the rows, without spaces at the end; a last line names
    /// the columns that were left out. If columns are too wide together, those without a value go
    /// first, unnamed; then movable ones move below, if that is enough; else the extra ones are
    /// dropped, the last one before the others, except one that alone tells two rows apart; then one
    /// column is narrowed, the one with the fewest cells that don't fit: those of the first column
    /// get a line of their own above their row, those of another one below it; if no column alone
    /// has so much to spare, the widest are narrowed.
    package func rendered(_ style: TextStyle) -> [String] {
        var table = self
        var left: [String] = []
        if let width = style.width { table.dropEmpty(width) }
        while let width = style.width, table.columns.count > 1,
            table.leastWidth(in: width) > width, let index = table.droppable
        {
            left.append(table.columns[index].title)
            table.removeColumn(index)
        }
        if let width = style.width {
            table.moveBelow(max(0, width))
            table.moveFewBelow(max(0, width))
        }
        guard !left.isEmpty else { return table.laidOut(style) }
        let said = "… no room for \(left.reversed().joined(separator: ", ")); --json has all"
        return table.laidOut(style) + [style.painted(said, .dim)]
    }

    private mutating func removeColumn(_ index: Int) {
        columns.remove(at: index)
        for row in rows.indices where index < rows[row].cells.count {
            rows[row].cells.remove(at: index)
        }
    }

    /// Removes columns of which nothing is known, the last one first, as long as all are too wide.
    private mutating func dropEmpty(_ width: Int) {
        guard !rows.isEmpty else { return }
        for index in columns.indices.reversed().dropLast() {
            guard Self.sum(natural, columns.count) > width else { return }
            let isEmpty = rows.allSatisfy { index >= $0.cells.count || $0.cells[index] == "-" }
            if isEmpty { removeColumn(index) }
        }
    }

    /// The extra column to drop next: the last one without which no two rows become the same.
    private var droppable: Int? {
        columns.indices.reversed().first { index in
            columns[index].isExtra && !tellsRowsApart(index)
        }
    }

    private func tellsRowsApart(_ index: Int) -> Bool {
        let all = Set(rows.map(\.cells)).count
        let without = rows.map { row in
            row.cells.enumerated().filter { $0.offset != index }.map(\.element)
        }
        return Set(without).count < all
    }

    /// The width needed if all movable cells are below; those of a column that stays longer remain
    /// in their rows if they fit there without the extra columns.
    private func leastWidth(in width: Int) -> Int {
        let all = Array(zip(natural, columns))
        func sum(_ isCounted: (Column) -> Bool) -> Int {
            let widths = all.filter { isCounted($0.1) }.map(\.0)
            return Self.sum(widths, widths.count)
        }
        let stays = sum { !$0.isExtra && (!$0.goesBelow || $0.staysLonger) } <= width
        return sum { !$0.goesBelow || stays && $0.staysLonger }
    }

    private mutating func moveBelow(_ width: Int) {
        while columns.count > 1, Self.sum(natural, columns.count) > width,
            let index = columns.lastIndex(where: \.goesBelow)
        {
            let isLast = index == columns.count - 1
            let others = natural.dropLast().reduce(Self.separator.count * index, +)
            let room = width - others
            let keeps = isLast && room >= max(Self.leastLeft, columns[index].title.columns)
            let column = columns[index]
            for row in rows.indices where index < rows[row].cells.count {
                let cell = rows[row].cells[index]
                if !keeps {
                    rows[row].cells.remove(at: index)
                    let title = column.isTitledBelow ? column.title : nil
                    if cell != "-" { rows[row].below.insert((title, cell), at: 0) }
                } else if cell.columns > room {
                    rows[row].cells[index] = ""
                    rows[row].below.insert((nil, cell), at: 0)
                }
            }
            if keeps { return }
            columns.remove(at: index)
        }
    }

    /// Moves the cells below that make another column than the first too wide, if they are fewer than
    /// those of the first that would have to make room.
    private mutating func moveFewBelow(_ width: Int) {
        let widths = natural
        let excess = Self.sum(widths, widths.count) - width
        guard excess > 0, columns.count > 1 else { return }
        func unfit(_ index: Int) -> [Int]? {
            let room = widths[index] - excess
            guard room >= max(Self.narrowest, columns[index].title.columns) else { return nil }
            return rows.indices.filter { row in
                index < rows[row].cells.count && rows[row].cells[index].columns > room
            }
        }
        let most = unfit(0)?.count ?? .max
        let others = columns.indices.dropFirst().filter { !columns[$0].keepsEnd }
            .compactMap { index in unfit(index).map { (index: index, rows: $0) } }
        guard let least = others.min(by: { $0.rows.count < $1.rows.count }),
            least.rows.count < most
        else { return }
        let column = columns[least.index]
        for row in least.rows {
            let cell = rows[row].cells[least.index]
            rows[row].cells[least.index] = ""
            rows[row].below.insert((column.isTitledBelow ? column.title : nil, cell), at: 0)
        }
    }

    /// The cells below a row, as lines of the terminal.
    private func below(_ row: Row, _ style: TextStyle) -> [String] {
        guard !row.below.isEmpty else { return [] }
        let texts = row.below.map { part in
            (part.title.map { $0.lowercased() + " " } ?? "") + part.text
        }
        let indent = String(repeating: " ", count: Self.indent)
        let lines = (indent + texts.joined(separator: "  ")).wrapped(
            to: style.width ?? .max, indent: Self.indent + 2)
        return lines.map { style.painted($0, row.paint) }
    }

    private func laidOut(_ style: TextStyle) -> [String] {
        let widths = fitted(to: style.width)
        let header = line(columns.map(\.title), widths) { _, text in text }
        // Once: it looks at every row.
        let isFirstAlone = isFirstAlone(widths)
        return [header]
            + rows.flatMap { row -> [String] in
                func paint(_ index: Int, _ text: String) -> String {
                    style.painted(text, row.paint ?? (index == 0 ? .bold : nil))
                }
                var row = row
                var above: [String] = []
                if isFirstAlone, let first = row.cells.first, first.columns > widths[0] {
                    above = first.wrapped(to: style.width ?? .max, indent: Self.indent)
                        .map { paint(0, $0) }
                    row.cells[0] = ""
                }
                var cells = line(row.cells, widths, paint: paint)
                while cells.hasSuffix(" ") { cells.removeLast() }
                return above + [row.tail.map { cells + Self.separator + $0 } ?? cells]
                    + below(row, style)
            }
    }

    /// Returns whether only the first column is narrower than its widest cell: its cells that don't
    /// fit stand above their rows, and nothing is cut.
    private func isFirstAlone(_ widths: [Int]) -> Bool {
        columns.count > 1 && widths[0] < natural[0] && widths.dropFirst() == natural.dropFirst()
    }

    /// The columns' widths as their widest cells have them.
    private var natural: [Int] {
        columns.indices.map { index in
            rows.reduce(columns[index].title.columns) {
                index < $1.cells.count ? max($0, $1.cells[index].columns) : $0
            }
        }
    }

    private static func sum(_ widths: [Int], _ count: Int) -> Int {
        widths.reduce(0, +) + separator.count * max(0, count - 1)
    }

    /// The columns' widths: those of their widest cells, the widest ones narrowed until all fit.
    private func fitted(to width: Int?) -> [Int] {
        var widths = natural
        guard let width else { return widths }
        var excess = Self.sum(widths, widths.count) - max(0, width)
        if excess > 0, widths.count > 1,
            widths[0] - excess >= max(Self.narrowest, columns[0].title.columns)
        {
            widths[0] -= excess
            return widths
        }
        while excess > 0, let widest = widths.max(), widest > Self.narrowest,
            let index = widths.firstIndex(of: widest)
        {
            // Down to the next widest in one step, so that a cell of a megabyte costs no loop of
            // a million turns.
            let next = widths.filter { $0 < widest }.max() ?? 0
            let step = min(excess, max(1, widest - max(next, Self.narrowest)))
            widths[index] -= step
            excess -= step
        }
        return widths
    }

    private func line(
        _ cells: [String], _ widths: [Int], paint: (Int, String) -> String
    ) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() where index < widths.count {
            let text =
                columns[index].keepsEnd
                ? cell.clippedAtStart(to: widths[index]) : cell.clipped(to: widths[index])
            let padding = String(repeating: " ", count: max(0, widths[index] - text.columns))
            if index > 0 { line += Self.separator }
            if columns[index].isNumber {
                line += padding + paint(index, text)
            } else {
                line += paint(index, text)
                // No spaces at the end of a line: they make a copied table wrap.
                if index < cells.count - 1 { line += padding }
            }
        }
        return line
    }
}
#endif
