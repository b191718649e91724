#if TELLTALE_COMPILED
/// The answer to `set`, `undo`, `redo` and `commit`.
public struct ChangeAnswer: CommandAnswer, MemberCoded {
    package static let kind = "change"

    /// The change that was made.
    public var change: ChangeRecord
    /// The changes made in the same transaction.
    public var more: [ChangeRecord]?

    package init(change: ChangeRecord, more: [ChangeRecord]? = nil) {
        self.change = change
        self.more = more
    }

    /// Makes an empty one, to be read into.
    public init() { self.init(change: ChangeRecord()) }

    /// Names its members to a coder.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("change", &change)
        coder.member("more", &more)
    }

    package func lines(_ style: TextStyle) -> [String] {
        ([change] + (more ?? [])).flatMap { $0.lines(style) }
    }
}

extension ChangeRecord {

    /// `photos.prompt: nil -> "WOOT!"      (change 1; `undo 1` puts it back)`, and a note on a line of
    /// its own.
    fileprivate func lines(_ style: TextStyle) -> [String] {
        let old = self.old.map { $0.escaped + " " } ?? ""
        let what = style.painted(path.escaped, .bold) + ": " + old + "-> "
        let result = self.result.escaped
        // `photos.prompt is "WOOT!" already`
        guard self.result != ChangeRecord.unchanged else {
            return ["\(style.painted(path.escaped, .bold)) is \(new.escaped) already"]
        }
        let remark =
            switch true {
            case result == ChangeRecord.preview: "a preview: nothing was changed"
            case result == ChangeRecord.pending: "pending until `commit`"
            case result == "done":
                "change \(number); `undo \(number)` puts it back"
            case result.hasPrefix("undoes "), result.hasPrefix("redoes "):
                "change \(number) \(result); `undo \(number)` puts it back"
            case result.hasPrefix("done ("):
                // `part of transaction 1–2`
                "change \(number), \(result.dropFirst(6).dropLast()); `undo \(number)` puts all of it back"
            default: "change \(number); \(result)"
            }
        return [what + new.escaped + "      (\(remark))"]
            + (note.map { ["  note: \($0.escaped)"] } ?? [])
    }
}

/// A change made through the agent, as `set`, `undo` and `changes` show it.
public struct ChangeRecord: MemberCoded {
    /// Its number, from 1, for `undo`.
    public var number: Int
    /// The changed value, or the called action.
    public var path: String
    /// The value before, as it would be typed; nil for a call.
    public var old: String?
    /// The value after, as it would be typed; for a call its arguments.
    public var new: String
    /// `done`, `done (part of transaction 3–5)` for the changes of a transaction, `undone by N`, `undoes N`,
    /// `redoes N`, `failed: …`, `timed out`, or `cancelled: …` for a change that was not made since
    /// its client had gone before it began. `preview`, `pending` and `unchanged` are in answers
    /// only, for changes not made.
    public var result: String
    /// The client that made the change.
    public var by: Peer
    /// The time of the change, UTC with milliseconds: `2026-11-21T03:12:45.118Z`.
    public var time: String
    /// The host's code that did not notice the change: observers, a wrapper's setter.
    public var note: String?
    /// The command by which it was made: `set`, `call`.
    public var command: String?

    /// The result of one that was not made and has no number.
    package static let preview = "preview"
    /// The result of a change that `commit` will make.
    package static let pending = "pending"

    /// The result of a change to the value that was there already.
    package static let unchanged = "unchanged"

    package init(
        number: Int, path: String, old: String?, new: String, result: String, by: Peer,
        time: String, note: String? = nil, command: String? = nil
    ) {
        self.command = command
        self.note = note
        self.number = number
        self.path = path
        self.old = old
        self.new = new
        self.result = result
        self.by = by
        self.time = time
    }

    /// Makes an empty one, to be read into.
    public init() {
        self.init(number: 0, path: "", old: nil, new: "", result: "", by: Peer(), time: "")
    }

    /// Names its members to a coder.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("number", &number)
        coder.member("path", &path)
        coder.member("old", &old)
        coder.member("new", &new)
        coder.member("result", &result)
        coder.member("by", &by)
        coder.member("time", &time)
        coder.member("note", &note)
        coder.member("command", &command)
    }
}
#endif
