import TelltaleProtocol
import TelltaleSystem

/// A terminal that shows a command's answer as it is by now, always at the same place.
struct WatchScreen {
    let line: String
    let every: Duration
    /// The lines of the look before.
    private var last: Set<String>?
    /// The width for which they were laid out: at another one all of them are new, and none says anything new.
    private var lastWidth: Int?
    private let size: () -> (rows: Int, columns: Int)?

    init(
        line: String, every: Duration,
        size: @escaping () -> (rows: Int, columns: Int)? = {
            TerminalFacts.size(of: 1).map { ($0.rows, $0.columns) }
        }
    ) {
        self.line = line
        self.every = every
        self.size = size
    }

    /// `03:12:45.118Z every 1 s: queues`
    var heading: String {
        let time = Quantity.moment(nanoseconds: WallClock.nanoseconds).drop { $0 != "T" }
        return "\(time.dropFirst()) every \(Quantity.time(every)): \(line)"
    }

    /// The whole screen: no more lines than there is room for, with `*` before those that are new.
    mutating func text(of answer: any CommandAnswer, _ style: TextStyle) -> TerminalText {
        let size = size()
        // The mark and the space behind it take two columns.
        var style = style
        style.width = size.map { max(8, $0.columns - 2) }
        let lines = style.fitted(answer.lines(style))
        let isComparable = lastWidth == style.width
        lastWidth = style.width
        // The heading, and the line of the cursor at the end.
        let room = max(1, (size?.rows ?? 24) - 3)
        var shown = [heading.clipped(to: size?.columns ?? 80)]
        for line in lines.prefix(lines.count > room ? room - 1 : room) {
            let isNew = isComparable && last.map { !$0.contains(line) } ?? false
            let cut = style.width.map { line.columnsWithoutColor > $0 } ?? false
            shown.append((isNew ? "* " : "  ") + (cut ? line.clipped(to: style.width ?? 80) : line))
        }
        if lines.count > room { shown.append("  " + Quantity.more(lines.count - room + 1)) }
        // Home, and the old text is cleared line by line: clearing all at once flickers.
        var text = TerminalText(own: last == nil ? "\u{1B}[2J\u{1B}[H" : "\u{1B}[H")
        last = Set(lines)
        for line in shown {
            text = text + TerminalText(line: line) + TerminalText(own: "\u{1B}[K\n")
        }
        return text + TerminalText(own: "\u{1B}[J")
    }
}
