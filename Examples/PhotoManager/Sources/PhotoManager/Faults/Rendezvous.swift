import Foundation

/// Two that wait until both are there, so that a deadlock that needs bad luck comes every time.
final class Rendezvous: Sendable {
    private let arrived = Counter()

    /// Goes on when the other one has called it too.
    func meet() {
        arrived.increment()
        while arrived.value < 2 { Thread.sleep(forTimeInterval: 0.001) }
    }
}
