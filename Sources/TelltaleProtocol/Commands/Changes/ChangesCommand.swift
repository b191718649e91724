#if TELLTALE_COMPILED
/// `changes`: what was changed, by whom.
package enum ChangesCommand: Command {
    package typealias Answer = ChangesAnswer

    package static let description = CommandDescription(
        "changes", "what was changed and called, and by whom",
        detail: """
            The number of each is what `undo` takes.
            """)
}

/// What `changes` answers.
public struct ChangesAnswer: CommandAnswer {
    package static let kind = "changes"

    /// The changes that are still kept, oldest first.
    public var changes: [ChangeRecord]
    /// How many older ones were dropped at the bound.
    public var dropped: Int

    package init(changes: [ChangeRecord], dropped: Int) {
        self.changes = changes
        self.dropped = dropped
    }

    package func lines(_ style: TextStyle) -> [String] {
        let cut = dropped > 0 ? ["… \(Quantity.count(dropped)) older, no longer kept"] : []
        guard !changes.isEmpty else { return ["nothing was changed or called"] + cut }
        var table = TextTable([
            .init("change", isNumber: true), .init("time"), .init("by"), .init("path"),
            .init("old"), .init("new"), .init("result"),
        ])
        for change in changes {
            table.add([
                "\(change.number)", change.time, change.by.text, change.path, change.old ?? "",
                change.new, change.result,
            ])
        }
        return table.rendered(style) + cut
    }
}
#endif
