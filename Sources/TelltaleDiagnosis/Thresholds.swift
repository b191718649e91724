#if TELLTALE_AGENT
/// The times from which a lack of progress is a finding, in seconds, by kind of wait.
///
/// They are called as in the configuration, where Docs/Stuck.md argues for each. A cycle needs none: each of its waits is proven, and unmoved.
package struct Thresholds: Sendable, Hashable {
    /// For waits for another part of the process without a potential waker: far above the time in
    /// which a busy host hands over a lock or a queue.
    package var stuckAfter = 1.0
    /// For the main thread, a registered owner, a pool or an event loop that has work, and waits
    /// for input, output or a time; and for waits listed as long.
    package var stuckAfterInput = 10.0
    /// For the same where something in the process is under way that will end the wait: the time of
    /// a request to another machine.
    package var stuckAfterRequest = 30.0

    package init(
        stuckAfter: Double = 1, stuckAfterInput: Double = 10, stuckAfterRequest: Double = 30
    ) {
        self.stuckAfter = stuckAfter
        self.stuckAfterInput = stuckAfterInput
        self.stuckAfterRequest = stuckAfterRequest
    }

    package static let standard = Thresholds()

    /// The same length for all.
    package static func all(_ seconds: Double) -> Thresholds {
        Thresholds(
            stuckAfter: seconds, stuckAfterInput: seconds, stuckAfterRequest: seconds)
    }
}
#endif
