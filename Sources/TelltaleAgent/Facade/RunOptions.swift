/// The thread and the mode in which a host closure runs for the agent:
/// `Telltale.property("sum", of: ledger, run: .offOwner) { $0.sum() }`.
public struct RunOptions: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: Int
    /// Creates options from their bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Runs the closure on an agent thread with a deadline, and not on the object's owner. It is for
    /// closures that enter their own queue, lock or actor, such as a class whose methods call `queue.sync`:
    /// on that queue the closure would wait for itself, and Dispatch would end the process.
    public static let offOwner = RunOptions(rawValue: 1 << 0)

    /// Runs the closure also in a read-only agent, which otherwise runs no host code: for code that changes
    /// nothing.
    public static let inReadOnlyMode = RunOptions(rawValue: 1 << 1)
}
