#if TELLTALE_AGENT
import TelltaleSystem

/// How much one reading may answer, and how long it may take.
struct ReadLimits: Sendable {
    /// How deep below the value that was asked for its parts are shown.
    var depth = 6
    /// How many elements of one collection are shown.
    var elements = 100
    /// About how many bytes the answer may have.
    var bytes = 64 << 20
    /// How many bytes of one string are shown.
    var stringBytes = 65_536
    /// When the reading ends with what it has.
    var deadline: MonotonicTime

    /// More than this is never gone down: the walk is recursive and a worker's stack is finite.
    static let deepest = 64

    init(deadline: MonotonicTime) { self.deadline = deadline }
}
#endif
