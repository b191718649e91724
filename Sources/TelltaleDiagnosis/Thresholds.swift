#if TELLTALE_AGENT
/// From when on something that makes no progress is a finding, in seconds.
package struct Thresholds: Sendable {
    /// For what waits for another part of the process: far above what a busy host needs to hand a lock
    /// or a queue on.
    package var blocked = 1.0
    /// For what waits for input, output or a time and holds others up: a slow server is no fault of
    /// the queue's.
    package var slow = 10.0
    /// Whether somebody who waits alone may hope for what runs, or for what is yet to come.
    package var countsHope = true

    package static let standard = Thresholds()
}
#endif
