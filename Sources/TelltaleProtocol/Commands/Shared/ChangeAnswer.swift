#if TELLTALE_COMPILED
/// What `set` and `undo` answer.
public struct ChangeAnswer: CommandAnswer {
    package static let kind = "change"

    /// The change that was made.
    public var change: ChangeRecord

    package init(change: ChangeRecord) { self.change = change }

    /// `photos.prompt: nil -> "WOOT!"      (change 1; `undo 1` puts it back)`, and a note on a line of
    /// its own.
    package func lines(_ style: TextStyle) -> [String] {
        let old = change.old.map { $0.escaped + " " } ?? ""
        let what = style.painted(change.path.escaped, .bold) + ": " + old + "-> "
        let result = change.result.escaped
        let remark =
            switch true {
            case result == ChangeRecord.preview: "a preview: nothing was changed"
            case result == "done":
                "change \(change.number); `undo \(change.number)` puts it back"
            case result.hasPrefix("undoes "):
                "change \(change.number) \(result); `undo \(change.number)` puts it back"
            default: "change \(change.number); \(result)"
            }
        return [what + change.new.escaped + "      (\(remark))"]
            + (change.note.map { ["  note: \($0.escaped)"] } ?? [])
    }
}

/// One change that was made through the agent, as `set`, `undo` and `changes` show it.
public struct ChangeRecord: Codable, Sendable, Equatable {
    /// Its number, from 1, for `undo`.
    public var number: Int
    /// What was changed or called.
    public var path: String
    /// The value before, as it would be typed; nil for a call.
    public var old: String?
    /// The value after, as it would be typed; for a call its arguments.
    public var new: String
    /// `done`, `undone by N`, `undoes N`, `failed: …`, `timed out`, or `cancelled: …` for what was not
    /// done since its client had gone before it began.
    public var result: String
    /// Who did it.
    public var by: Peer
    /// When, UTC with milliseconds: `2026-11-21T03:12:45.118Z`.
    public var time: String
    /// What of the host did not notice the change: observers, a wrapper's setter.
    public var note: String?

    /// The result of one that was not made and has no number.
    package static let preview = "preview"

    package init(
        number: Int, path: String, old: String?, new: String, result: String, by: Peer,
        time: String, note: String? = nil
    ) {
        self.note = note
        self.number = number
        self.path = path
        self.old = old
        self.new = new
        self.result = result
        self.by = by
        self.time = time
    }
}
#endif
