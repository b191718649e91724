import Synchronization

/// A number that many threads count up.
final class Counter: Sendable {
    private let count = Atomic(0)

    /// The current count.
    var value: Int { count.load(ordering: .acquiring) }

    /// Counts one.
    func increment() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
