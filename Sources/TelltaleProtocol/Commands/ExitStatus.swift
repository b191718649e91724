#if TELLTALE_COMPILED
/// What the client ends with. README has the table.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done; a cut by a bound and a masked secret are answers too.
    case done = 0
    /// The command failed.
    case failed = 1
    /// Wrong usage.
    case usage = 2
    /// No such agent, or it can't be reached.
    case unreachable = 3
    /// Read-only mode, or another user.
    case denied = 4
    /// No answer in time, or not enough of one.
    case late = 5
    /// What was asked for by name is missing from the answer.
    case missing = 6
    /// Something is stuck.
    case stuck = 7
}
#endif
