#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleProtocol
import TelltaleSystem

/// One operation queue, as `TelltaleFoundation` lends it to the agent, which has no Foundation.
///
/// Every call may run code of the host's (an operation may have its own `isReady`) and may wait for
/// Foundation's locks: it is called on a worker, with a deadline.
package protocol OperationSource: Sendable {
    /// `limit` is of operations, and of the dependencies of each; nil where the queue is gone.
    func read(limit: Int) -> OperationQueueFacts?

    /// How the operation is afterwards; nil where it is not in the queue any more.
    func cancel(_ address: UInt) -> OperationFacts?
}

package enum OperationRegistry {
    /// The main thread's run loop; the closure is called on a worker and gives nil where main has
    /// none.
    package typealias RunLoopSource = @Sendable () -> OperationsAnswer.RunLoop?

    /// Shows an operation queue; a second one of the same key takes the place of the first.
    package static func observe(_ source: any OperationSource, key: String) -> Registration {
        let shared = SharedState.current
        let identifier = shared.makeIdentifier()
        let entry = ObservedOperations(identifier: identifier, source: source)
        _ = shared.operationQueues.add(entry, identifier: identifier, as: key)
        return Registration(identifier: identifier)
    }

    /// Has the run loop of the main thread read.
    package static func use(runLoop source: @escaping RunLoopSource) {
        runLoop.withLock { $0 = Kept(read: source) }
    }

    /// A closure that is a generic type's own value gets two closures more around it with each access
    /// (swiftc 6.3.1, reabstraction), which are never given back; one in a structure doesn't.
    private struct Kept { var read: RunLoopSource }

    private static let runLoop = Locked<Kept?>(nil)

    static var runLoopSource: RunLoopSource? { runLoop.withLock { $0?.read } }
}

final class ObservedOperations: Registered {
    let identifier: UInt64
    let source: any OperationSource

    /// Only the source's reading tells, which may wait. A queue's key is its address, so that there are no more
    /// of these than there were queues at one time.
    var isGone: Bool { false }
    var remains: ObservedOperations? { nil }

    init(identifier: UInt64, source: any OperationSource) {
        self.identifier = identifier
        self.source = source
    }
}
#endif
