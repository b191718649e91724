#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Asks all operation queues and the main run loop at once, on workers. A queue that blocks in host code
/// costs a worker until it returns, and the others respond.
struct OperationCapture: Sendable {
    /// The maximum number of operations that are read for each queue, and of dependencies for each
    /// operation.
    static let limit = 200

    struct Result: Sendable {
        var queues: [OperationQueueFacts] = []
        /// The source of each queue, to ask it again.
        var observed: [ObservedOperations] = []
        var runLoop: OperationsAnswer.RunLoop?
        /// The missing data and the reasons.
        var notes: [String] = []
        /// An operation queue is missing, which may be the stuck one.
        var isCut = false
    }

    private let agent: Agent
    private let asked: [(entry: ObservedOperations, call: HostCall<OperationQueueFacts?>)]
    private let runLoop: HostCall<OperationsAnswer.RunLoop?>?

    /// Asks all of them; `deadline` is the end of the wait for their answers.
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
            // The queue has been deallocated, so its registration ends.
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
