import Synchronization

/// Continuations that are never resumed.
final class KeptContinuations: Sendable {
    private let continuations = Mutex<[UnsafeContinuation<Int, Never>]>([])

    func keep(_ continuation: UnsafeContinuation<Int, Never>, _ spot: Spot) {
        continuations.withLock { $0.append(continuation) }
    }
}

let kept = KeptContinuations()
