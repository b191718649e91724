import Foundation
import Synchronization

/// Eight threads that repeat something until they are stopped.
final class Crowd: Sendable {
    private let isOn = Atomic(false)
    private let count = Atomic(0)

    /// Indicates that they are to continue.
    var goesOn: Bool { isOn.load(ordering: .acquiring) }

    /// The number of them that have not ended yet.
    var running: Int { count.load(ordering: .acquiring) }

    /// Starts them; each is told its number.
    func start(_ run: @escaping @Sendable (Int) -> Void) {
        isOn.store(true, ordering: .releasing)
        for number in 0..<8 {
            count.add(1, ordering: .relaxed)
            Thread.detachNewThread {
                run(number)
                self.count.subtract(1, ordering: .releasing)
            }
        }
    }

    func stop() { isOn.store(false, ordering: .releasing) }
}
