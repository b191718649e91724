#if TELLTALE_COMPILED
/// What `call` answers.
public struct CallAnswer: CommandAnswer {
    package static let kind = "call"

    /// The action that ran.
    public var action: String
    /// Its result as a tree; nil where it returns nothing.
    public var value: ValueNode?
    /// How long it ran, in microseconds.
    public var microseconds: Int
    /// The number under which `changes` lists it.
    public var change: Int

    package init(action: String, value: ValueNode?, microseconds: Int, change: Int) {
        self.action = action
        self.value = value
        self.microseconds = microseconds
        self.change = change
    }

    package func lines(_ style: TextStyle) -> [String] {
        let remark = "\(Quantity.time(microseconds: microseconds)), change \(change)"
        guard let value else {
            return [style.painted(action.escaped, .bold) + ": done  (\(remark))"]
        }
        return ValueTree(style: style).lines(of: value, label: action, remarks: [remark])
    }
}
#endif
