#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleProtocol
import TelltaleSystem

/// One operation queue, as `TelltaleFoundation` lends it to the agent, which has no Foundation.
///
/// Every call may run code of the host's (an operation may have its own `isReady`) and may wait for
/// Foundation's locks: it is called on a worker, with a deadline.
package protocol OperationSource: Sendable {
    /// Looks at the queue.
    ///
    /// - Parameter limit: How many operations are looked at, and how many dependencies of each.
    /// - Returns: nil where the queue is gone.
    func read(limit: Int) -> OperationQueueFacts?

    /// Cancels an operation that is in the queue.
    ///
    /// - Parameter address: Which one.
    /// - Returns: How it is afterwards; nil where it is not there any more.
    func cancel(_ address: UInt) -> OperationFacts?
}

/// What the host has shown of its operations.
package enum OperationRegistry {
    /// The main thread's run loop; the closure is called on a worker and gives nil where main has
    /// none.
    package typealias RunLoopSource = @Sendable () -> OperationsAnswer.RunLoop?

    /// Shows an operation queue.
    ///
    /// - Parameters:
    ///   - source: Reads it.
    ///   - key: Tells it from others; a second one of the same takes the place of the first.
    /// - Returns: The token that takes it back.
    package static func observe(_ source: any OperationSource, key: String) -> Registration {
        let shared = SharedState.current
        let identifier = shared.makeIdentifier()
        let entry = ObservedOperations(identifier: identifier, source: source)
        _ = shared.operationQueues.add(entry, identifier: identifier, as: key)
        return Registration(identifier: identifier)
    }

    /// Has the run loop of the main thread looked at.
    ///
    /// - Parameter source: Reads it.
    package static func use(runLoop source: @escaping RunLoopSource) {
        runLoop.withLock { $0 = source }
    }

    private static let runLoop = Locked<RunLoopSource?>(nil)

    static var runLoopSource: RunLoopSource? { runLoop.withLock { $0 } }
}

/// A registered operation queue.
final class ObservedOperations: Sendable {
    let identifier: UInt64
    let source: any OperationSource

    init(identifier: UInt64, source: any OperationSource) {
        self.identifier = identifier
        self.source = source
    }
}
#endif
