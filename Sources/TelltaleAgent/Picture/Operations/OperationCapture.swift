#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// All operation queues and the main run loop, asked at once, on workers: one that hangs in the host's
/// code costs a worker until it comes back, and the others are answered.
struct OperationCapture: Sendable {
    /// How many operations of a queue are looked at, and dependencies of an operation.
    static let limit = 200

    /// What came of it.
    struct Result: Sendable {
        var queues: [OperationQueueFacts] = []
        /// Where each of the queues can be asked again.
        var observed: [ObservedOperations] = []
        var runLoop: OperationsAnswer.RunLoop?
        /// What could not be had, and why.
        var notes: [String] = []
        /// An operation queue is missing, which may be just what doesn't move.
        var isCut = false
    }

    private let agent: Agent
    private let asked: [(entry: ObservedOperations, call: HostCall<OperationQueueFacts?>)]
    private let runLoop: HostCall<OperationsAnswer.RunLoop?>?

    /// Asks all of them; `deadline` is when the answers will have been waited for.
    init(agent: Agent, until deadline: MonotonicTime) {
        self.agent = agent
        let workers = agent.workers
        asked = agent.shared.operationQueues.all.map { entry in
            let call = HostCall<OperationQueueFacts?>.start(
                on: .none, .read, in: .registration(entry.identifier), workers: workers,
                until: deadline
            ) { entry.source.read(limit: Self.limit) }
            return (entry, call)
        }
        runLoop = OperationRegistry.runLoopSource.map { source in
            HostCall<OperationsAnswer.RunLoop?>.start(
                on: .none, .read, in: .runLoop, workers: workers, until: deadline
            ) { source() }
        }
    }

    func finish(until deadline: MonotonicTime) -> Result {
        var result = Result()
        var silent = 0
        for (entry, call) in asked {
            switch call.outcome(until: deadline, grace: .zero) {
            case .finished(let facts?):
                result.queues.append(facts)
                result.observed.append(entry)
            // It is gone, and so is what was registered.
            case .finished(nil): agent.shared.end(entry.identifier)
            case .cancelled, .abandoned, .withdrawn: silent += 1
            }
        }
        if silent > 0 {
            result.isCut = true
            result.notes.append(
                Quantity.count(silent, "operation queue", "operation queues")
                    + " did not answer in time: "
                    + "an operation's own code, or a lock of Foundation's, holds them up")
        }
        switch runLoop?.outcome(until: deadline, grace: .zero) {
        case .finished(let facts): result.runLoop = facts
        case .cancelled, .abandoned, .withdrawn:
            result.notes.append("the main thread's run loop could not be looked at in time")
        case nil: break
        }
        return result
    }
}
#endif
