/// Where and when a closure of the host's runs for the agent:
/// `Telltale.property("sum", of: ledger, run: .offOwner) { $0.sum() }`.
public struct RunOptions: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: Int
    /// Makes options of their bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// On a thread of the agent's with a deadline, and not on the object's owner: for what takes its own queue,
    /// lock or actor, as a class does that calls `queue.sync` in its methods. On that queue it would wait for
    /// itself, which Dispatch ends the process for.
    public static let offOwner = RunOptions(rawValue: 1 << 0)

    /// Also while the agent is read-only, which otherwise runs no code of the host's: for code that changes
    /// nothing.
    public static let inReadOnlyMode = RunOptions(rawValue: 1 << 1)
}
