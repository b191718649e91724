#if TELLTALE_COMPILED
/// The changes between successive reads of some values.
package struct WatchLog {
    /// The number of recent values in a path's graph.
    private static let graph = 24
    /// The length from which a value is cut in a line, which then says so.
    private static let longest = 200
    /// The maximum number of changes in an answer that is given at the end.
    private static let mostChanges = 10_000

    private var last: [WatchedValue] = []
    private var numbers: [[Double]] = []
    package private(set) var answer = WatchedAnswer()

    package init() {}

    /// Compares values with those of the previous read; returns the lines for the changes, and at
    /// first for all values.
    package mutating func add(
        _ values: [WatchedValue], at moment: UInt64, _ style: TextStyle
    ) -> [String] {
        let time = Quantity.moment(nanoseconds: moment)
        let isFirst = last.count != values.count
        if isFirst { numbers = values.map { _ in [] } }
        var lines: [String] = []
        for (index, value) in values.enumerated() {
            let before = isFirst ? nil : last[index]
            if let number = value.text.flatMap(Double.init), number.isFinite {
                numbers[index] = numbers[index].suffix(Self.graph - 1) + [number]
            }
            guard before?.shown != value.shown else { continue }
            add(
                WatchedAnswer.Change(
                    time: time, path: value.path, from: before?.shown, to: value.shown))
            lines.append(line(value, before, index, time, style))
        }
        last = values
        answer.looks += 1
        answer.values = values
        return lines
    }

    /// Returns the changes since the last call.
    package mutating func takeChanges() -> WatchedAnswer {
        defer {
            answer.changes = []
            answer.left = 0
        }
        return answer
    }

    private mutating func add(_ change: WatchedAnswer.Change) {
        if answer.changes.count < Self.mostChanges {
            answer.changes.append(change)
        } else {
            answer.left += 1
        }
    }

    /// `03:12:45.118Z photos.items.count: 12 -> 13  ▁▁█`
    private func line(
        _ value: WatchedValue, _ before: WatchedValue?, _ index: Int, _ time: String,
        _ style: TextStyle
    ) -> String {
        func cut(_ text: String) -> String { text.escaped.clipped(to: Self.longest) }
        var line = String(time.drop { $0 != "T" }.dropFirst()) + " "
        line += style.painted(value.path.escaped, .bold) + ": "
        if let before { line += cut(before.shown) + " -> " }
        line += cut(value.shown)
        // A pipe gets the values alone.
        if style.width != nil, numbers[index].count > 1 {
            line += "  " + Self.graph(of: numbers[index])
        }
        return line
    }

    private static let bars = Array("▁▂▃▄▅▆▇█")

    /// Numbers as bars between the smallest and the largest of them.
    package static func graph(of numbers: [Double]) -> String {
        guard let least = numbers.min(), let most = numbers.max() else { return "" }
        // Halved first: the distance of two finite numbers may be none.
        let range = most / 2 - least / 2
        return String(
            numbers.map { number in
                guard range > 0 else { return bars[0] }
                let part = (number / 2 - least / 2) / range
                let bar = Int((part * Double(bars.count - 1)).rounded())
                return bars[min(max(bar, 0), bars.count - 1)]
            })
    }
}

/// The client's answer for a watch whose changes were not shown as they came.
public struct WatchedAnswer: CommandAnswer {
    package static let kind = "watched"

    /// A change.
    public struct Change: Codable, Sendable, Equatable {
        /// The time of the change, in UTC.
        public var time: String
        /// The path.
        public var path: String
        /// The old value; `nil` at the first read.
        public var from: String?
        /// The new value.
        public var to: String
    }

    /// The number of times the values were read.
    public var looks = 0
    /// The values at the last read.
    public var values: [WatchedValue] = []
    /// The changes, in the order in which they were seen; the first of each path is its first
    /// value.
    public var changes: [Change] = []
    /// The number of later changes left out.
    public var left = 0

    package func lines(_ style: TextStyle) -> [String] {
        var lines = changes.map { change in
            let time = change.time.drop { $0 != "T" }.dropFirst()
            let from = change.from.map { $0.escaped + " -> " } ?? ""
            return "\(time) \(change.path.escaped): \(from)\(change.to.escaped)"
        }
        if left > 0 { lines.append(Quantity.more(left)) }
        return lines
    }
}
#endif
