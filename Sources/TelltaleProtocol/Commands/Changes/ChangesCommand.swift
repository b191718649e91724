#if TELLTALE_COMPILED
/// `changes`: the changes made, with their authors.
package enum ChangesCommand: Command {
    package struct Parameters: JSONCodable {
        /// Asks for all changes kept, and not only the last ones.
        package var all: Bool?
    }

    package typealias Answer = ChangesAnswer

    package static let description = CommandDescription(
        "changes [--all]", "what was changed and called, and by whom",
        detail: """
            The number of each is what `undo` takes, and `redo` where it was undone. The last 50 are
            listed; with `--all` all that are kept, a thousand unless the service says otherwise.
            """)

    /// The number of changes listed unless all are asked for.
    package static let shown = 50

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters { Parameters(all: arguments.flag("--all")) }
}

/// The answer to `changes`.
public struct ChangesAnswer: CommandAnswer {
    package static let kind = "changes"

    /// The changes that are still kept, oldest first.
    public var changes: [ChangeRecord]
    /// The number of older changes dropped at the bound.
    public var dropped: Int
    /// The number of older changes that are kept but were not asked for.
    public var older: Int?

    /// The width at which a value is cut: twenty elements of a collection are a screen of text.
    private static let widestValue = 200

    package init(changes: [ChangeRecord], dropped: Int, older: Int? = nil) {
        self.changes = changes
        self.dropped = dropped
        self.older = older
    }

    package func lines(_ style: TextStyle) -> [String] {
        var cut = older.map { ["… \(Quantity.count($0)) older, which `changes --all` lists"] } ?? []
        if dropped > 0 { cut.append("… \(Quantity.count(dropped)) older, no longer kept") }
        guard !changes.isEmpty else { return ["nothing was changed or called"] + cut }
        let hasNotes = changes.contains { $0.note != nil }
        let day = style.width == nil ? nil : commonDay
        var table = TextTable(
            [
                .init("change", isNumber: true), .init(day ?? "time"), .init("by", goesBelow: true),
                .init("path", goesBelow: true),
                .init("old", widest: Self.widestValue, goesBelow: true),
                .init("new", widest: Self.widestValue, goesBelow: true),
                .init("result", goesBelow: true),
            ] + (hasNotes ? [.init("note", goesBelow: true)] : []))
        for change in changes {
            table.add([
                "\(change.number)", day == nil ? change.time : Self.clock(change.time),
                change.by.text, change.path, change.old ?? "",
                change.new, change.result, change.note ?? "",
            ])
        }
        return table.rendered(style) + cut
    }

    /// The day of all changes, `2026-11-21`; `nil` if they are of several days.
    private var commonDay: String? {
        let days = Set(changes.map { $0.time.prefix { $0 != "T" } })
        guard days.count == 1, let day = days.first, day.count == 10 else { return nil }
        return String(day)
    }

    /// The time of day to the second: `03:12:45Z`.
    private static func clock(_ time: String) -> String {
        String(time.drop { $0 != "T" }.dropFirst().prefix { $0 != "." && $0 != "Z" }) + "Z"
    }
}
#endif
