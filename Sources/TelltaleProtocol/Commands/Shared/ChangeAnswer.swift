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
#endif
