import Synchronization

/// Text that was written, for a test to look at.
package final class RecordedText: Sendable {
    private let state = Mutex("")

    /// Nothing yet.
    package init() {}

    /// All of it.
    package var text: String { state.withLock { $0 } }

    /// Adds to it.
    package func append(_ text: String) { state.withLock { $0 += text } }
}
