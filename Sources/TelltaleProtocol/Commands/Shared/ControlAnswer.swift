#if TELLTALE_COMPILED
/// The answer to `suspend`, `resume`, `cancel` and `watch`.
public struct ControlAnswer: CommandAnswer {
    package static let kind = "control"

    /// The command: `suspend`.
    public var action: String
    /// The object that was controlled: `com.telltale.photos`, `task #12`.
    public var target: String
    /// Its new state: `suspended (1)`, `cancelled`, `watched every 5 s`.
    public var result: String
    /// A remark: when the state is restored automatically, or an effect that did not occur.
    public var note: String?
    /// The number by which `changes` lists it.
    public var change: Int?
    /// The values of `watch` with paths, read in one round.
    public var values: [WatchedValue]?

    package init(
        action: String, target: String, result: String, note: String? = nil, change: Int? = nil,
        values: [WatchedValue]? = nil
    ) {
        self.values = values
        self.action = action
        self.target = target
        self.result = result
        self.note = note
        self.change = change
    }

    /// `com.telltale.photos: suspended (1)`, and the remark.
    package func lines(_ style: TextStyle) -> [String] {
        if let values {
            return values.map { value in
                style.painted(value.path.escaped, .bold) + ": " + value.shown.escaped
            } + (note.map { ["note: \($0.escaped)"] } ?? [])
        }
        let number = change.map { "      (change \($0))" } ?? ""
        let line =
            style.painted(target.escaped, .bold) + ": " + result.escaped + number
        return [line] + (note.map { ["  note: \($0.escaped)"] } ?? [])
    }
}
#endif
