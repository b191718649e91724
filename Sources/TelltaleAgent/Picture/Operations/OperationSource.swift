#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleProtocol
import TelltaleSystem

/// One operation queue, provided by `TelltaleFoundation` to the agent, which doesn't link Foundation.
///
/// Every call may run host code (an operation may override `isReady`) and may wait for Foundation's locks:
/// it is made on a worker, with a deadline.
package protocol OperationSource: Sendable {
    /// Reads the queue; `limit` applies to operations, and to the dependencies of each. nil if the queue
    /// has been deallocated.
    func read(limit: Int) -> OperationQueueFacts?

    /// Cancels an operation and returns its state afterwards; nil if it is no longer in the queue.
    func cancel(_ address: UInt) -> OperationFacts?
}

package enum OperationRegistry {
    /// Reads the main thread's run loop; called on a worker, returns nil if the main thread has none.
    package typealias RunLoopSource = @Sendable () -> OperationsAnswer.RunLoop?

    /// Registers an operation queue; a second one with the same key replaces the first.
    package static func observe(_ source: any OperationSource, key: String) -> Registration {
        let shared = SharedState.current
        let identifier = shared.makeIdentifier()
        let entry = ObservedOperations(identifier: identifier, source: source)
        _ = shared.operationQueues.add(entry, identifier: identifier, as: key)
        return Registration(identifier: identifier)
    }

    /// Sets the closure that reads the main thread's run loop.
    package static func use(runLoop source: @escaping RunLoopSource) {
        runLoop.withLock { $0 = Kept(read: source) }
    }

    /// Wraps the closure: a closure that is itself a generic type's value gets two more closures around it
    /// with each access (swiftc 6.3.1, reabstraction), which leak; a closure in a structure doesn't.
    private struct Kept { var read: RunLoopSource }

    private static let runLoop = Locked<Kept?>(nil)

    static var runLoopSource: RunLoopSource? { runLoop.withLock { $0?.read } }
}

final class ObservedOperations: Registered {
    let identifier: UInt64
    let source: any OperationSource

    /// Only reading the source would tell, and that may block. A queue's key is its address, so there are
    /// no more entries than there were queues at one time.
    var isGone: Bool { false }
    var remains: ObservedOperations? { nil }

    init(identifier: UInt64, source: any OperationSource) {
        self.identifier = identifier
        self.source = source
    }
}
#endif
