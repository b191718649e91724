#if TELLTALE_AGENT
/// From when on something that doesn't move is called stuck, in seconds.
struct StuckPatience: Sendable {
    /// What waits for another part of the process, and holds others up. Far above what a busy host
    /// needs to hand a lock or a queue on.
    var wait = 1.0
    /// What waits for input, output or a time, and holds others up: a slow server is no fault of the
    /// queue's.
    var slow = 10.0
    /// Whether somebody who waits alone may hope for what runs, or for what is yet to come.
    var countsHope = true
}
#endif
