#if TELLTALE_AGENT
import TelltaleSystem

/// The limits of one read: the size of its answer and its time.
struct ReadLimits: Sendable {
    /// The number of levels of parts shown below the requested value.
    var depth = 6
    var elements = 100
    /// The approximate maximum size of the answer in bytes.
    var bytes = 64 << 20
    var stringBytes = 65_536
    var deadline: MonotonicTime
    /// True if the locks of values may be taken: not if nothing keeps their memory allocated.
    var takesLocks = true
    /// True if an object's parts are repeated each time the object is met, down to the depth limit.
    var repeats = false
    /// True if the object of a weak or an unowned reference, a registered one, and one on the path to the value
    /// are shown without their parts.
    var isBrief = false
    /// True if values with a format are shown by it instead of by their fields.
    var usesFormats = true
    /// True if the host's formats may be used that are not registered for read-only mode.
    var runsFormats = true

    /// The details of the value's memory to read in addition.
    var asked: MemoryReading.Asked = []

    /// The maximum number of elements returned for a requested range.
    static let longestRange = 100_000
    /// The maximum depth of any read: the walk is recursive and a worker's stack is finite.
    static let deepest = 64

    init(deadline: MonotonicTime) { self.deadline = deadline }
}
#endif
