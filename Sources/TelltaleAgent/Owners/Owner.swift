#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import Dispatch
    import Synchronization
    import TelltaleSystem

    /// Who guards a registered object: where it may be read and changed.
    enum Owner: Sendable {
        /// Nobody: a Sendable object.
        case none
        /// Read with `sync`, changed with a barrier.
        case queue(DispatchQueue)
        /// Its executor.
        case actor(Weak<any Actor>)
        /// The main queue.
        case mainActor
        /// A closure that calls its argument under the host's lock.
        case lock(@Sendable (@escaping @Sendable () -> Void) -> Void)
        /// The registration is itself a closure.
        case closure

        /// Whether what is done only looks, or changes something.
        enum Access: Sendable { case read, write }

        /// As `objects` shows it.
        var description: String {
            switch self {
            case .none: "none"
            case .queue(let queue): "queue \(queue.label), \(QueueKind(of: queue).rawValue)"
            case .actor: "actor"
            case .mainActor: "main actor"
            case .lock: "lock"
            case .closure: "closure"
            }
        }

        /// As a marked line names it: `queue com.example.photos`.
        var shortName: String {
            switch self {
            case .queue(let queue): "queue \(queue.label)"
            case .actor: "its actor"
            case .lock: "its lock"
            case .closure: "its closure"
            default: description
            }
        }
    }

    /// A reference that keeps nothing alive.
    final class Weak<Object>: @unchecked Sendable {
        // Written once, in `init`; a weak reference may be loaded on any thread.
        private weak var reference: AnyObject?

        init(_ object: Object) { reference = object as AnyObject }

        /// The object, while it lives.
        var object: Object? { reference as? Object }
    }

    extension HostCall {
        /// Runs `body` where `owner` allows it, on a worker, and waits for it until `deadline`.
        ///
        /// `sync` and not `async`: it runs on the calling thread, so that an idle queue is read also
        /// while every thread of Dispatch is blocked.
        ///
        /// - Important: Runs host code only where `body` or the owner's lock closure does.
        static func on(
            _ owner: Owner, _ access: Owner.Access, workers: WorkerPool,
            until deadline: MonotonicTime, _ body: @escaping @Sendable () -> Result
        ) -> Outcome {
            start(on: owner, access, workers: workers, pumpUntil: deadline, body)
                .outcome(until: deadline)
        }

        /// Begins such a call; several can be waited for together.
        static func start(
            on owner: Owner, _ access: Owner.Access, workers: WorkerPool,
            pumpUntil deadline: MonotonicTime, _ body: @escaping @Sendable () -> Result
        ) -> HostCall {
            let call = HostCall()
            workers.submit {
                switch owner {
                case .none, .closure: call.run(body)
                case .queue(let queue):
                    switch access {
                    case .read: queue.sync { call.run(body) }
                    case .write: queue.sync(flags: .barrier) { call.run(body) }
                    }
                case .mainActor: DispatchQueue.main.sync { call.run(body) }
                case .lock(let underLock): underLock { call.run(body) }
                case .actor(let weak):
                    guard let actor = weak.object else { return call.run(body) }
                    let pump = PumpExecutor(workers: workers)
                    let flag = DoneFlag()
                    Task.detached(executorPreference: pump) {
                        await isolated(to: actor) { call.run(body) }
                        flag.set()
                        pump.wake()
                    }
                    pump.pump(until: deadline) { flag.isSet }
                }
            }
            return call
        }
    }

    /// A flag that a task sets and a pump reads.
    final class DoneFlag: Sendable {
        private let value = Atomic(false)

        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    private func isolated(to actor: isolated any Actor, _ body: @Sendable () -> Void) { body() }
#endif
