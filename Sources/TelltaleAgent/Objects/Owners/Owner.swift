#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The isolation of a registered object: the context in which it may be read and changed.
enum Owner: Sendable {
    /// No isolation: a `Sendable` object.
    case none
    /// A queue: reads run with `sync`, changes with a barrier.
    case queue(DispatchQueue)
    /// An actor's executor.
    case actor(WeakActor)
    /// The main actor, through the main queue.
    case mainActor
    /// A closure of the host's that calls its argument under the host's lock.
    case lock(HostLock)
    /// No owner: the registration is itself a closure.
    case closure

    /// The kind of an owner access: a read, or a change.
    enum Access: Sendable {
        case read, write

        var flags: DispatchWorkItemFlags { self == .write ? .barrier : [] }
    }

    /// The owner as `objects` shows it.
    var description: String {
        switch self {
        case .none: "none"
        case .queue(let queue): "queue \(queue.shownLabel), \(QueueKind(of: queue).rawValue)"
        case .actor: "actor"
        case .mainActor: "main actor"
        case .lock: "lock"
        case .closure: "closure"
        }
    }

    /// True if the object has no owner.
    var isNone: Bool {
        if case .none = self { return true }
        return false
    }

    /// True if the compiler knows the owner as an isolation, so isolated code runs nowhere else.
    var isIsolation: Bool {
        switch self {
        case .actor, .mainActor: true
        case .none, .queue, .lock, .closure: false
        }
    }

    /// The queue on which the agent can wait for the owner without a thread of its own.
    var dispatchQueue: DispatchQueue? {
        switch self {
        case .queue(let queue): queue
        case .mainActor: .main
        default: nil
        }
    }

    /// The owner as an annotated line names it: `queue com.example.photos`.
    var shortName: String {
        switch self {
        case .queue(let queue): "queue \(queue.shownLabel)"
        case .actor: "its actor"
        case .lock: "its lock"
        case .closure: "its closure"
        default: description
        }
    }
}

/// A closure of the host's that runs another closure under its lock.
final class HostLock: Sendable {
    typealias Run = @Sendable (@escaping @Sendable () -> Void) -> Void
    private let held: HeldValue<Run>

    init(_ run: @escaping Run) { held = HeldValue(run, of: .none, .toOwnerOrHost) }

    func run(_ body: @escaping @Sendable () -> Void) { held.value?(body) }
}

/// A weak reference to an object.
final class Weak<Object: AnyObject>: @unchecked Sendable {
    // Written once, in `init`; a weak reference may be loaded on any thread. Never cast it with `as?`: in a
    // debug build the cast boxes an empty reference, and the box is not nil.
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}

extension HostCall {
    /// Runs `body` on `owner`, and waits for it until `deadline`. Without a bulkhead of its own the call uses
    /// its owner's.
    ///
    /// A worker calls `sync`, not `async`: `sync` runs on the calling thread, so an idle queue can be read
    /// while every Dispatch thread is blocked. Without a free worker the call uses `async`; the main queue
    /// needs neither.
    ///
    /// - Important: Host code runs only if `body` or the owner's lock closure runs it.
    static func on(
        _ owner: Owner, _ access: Owner.Access, in bulkhead: Bulkhead? = nil, workers: WorkerPool,
        until deadline: MonotonicTime, unless isUnwanted: (@Sendable () -> Bool)? = nil,
        _ body: @escaping @Sendable () -> Result
    ) -> Outcome {
        start(
            on: owner, access, in: bulkhead, workers: workers, until: deadline,
            unless: isUnwanted, body
        )
        .outcome(until: deadline)
    }

    /// Starts such a call; several calls can be waited for together.
    static func start(
        on owner: Owner, _ access: Owner.Access, in bulkhead: Bulkhead? = nil, workers: WorkerPool,
        until deadline: MonotonicTime, unless isUnwanted: (@Sendable () -> Bool)? = nil,
        _ body: @escaping @Sendable () -> Result
    ) -> HostCall {
        let call = HostCall(unless: isUnwanted)
        let run: @Sendable (_ leave: @escaping @Sendable () -> Void) -> Void
        switch owner {
        case .none, .closure:
            run = { leave in
                call.run(body)
                leave()
            }
        case .queue(let queue):
            run = { leave in
                queue.syncForAgent(flags: access.flags) { call.run(body) }
                leave()
            }
        case .mainActor:
            // The thread that drains the main queue runs the body, so no thread has to wait.
            run = { leave in
                let isSubmitted = workers.submitter.submit {
                    DispatchQueue.main.async {
                        call.run(body)
                        leave()
                    }
                }
                if !isSubmitted { leave() }
            }
        case .lock(let lock):
            run = { leave in
                lock.run { call.run(body) }
                leave()
            }
        case .actor(let weak):
            run = { leave in
                weak.run(workers: workers, until: deadline, { call.run(body) }, leave)
            }
        }
        let queue = owner.dispatchQueue
        let enqueue = queue.map { queue in
            { @Sendable (leave: @escaping @Sendable () -> Void) in
                queue.async(flags: access.flags) {
                    call.run(body)
                    leave()
                }
            }
        }
        workers.submit(
            WorkerPool.Job(
                bulkhead: bulkhead ?? Bulkhead(owner, access), isWanted: { call.isWanted },
                run: run, enqueue: enqueue))
        return call
    }
}

/// The time an owner has to respond, and the name of the limit that sets it.
struct OwnerTime: Sendable {
    let deadline: MonotonicTime
    /// The limit as messages name it: `1.0 s (TELLTALE_OWNER_DEADLINE)`, `200 ms (--timeout)`.
    let text: String

    /// A moment shortly before the owner's deadline: what was read by then is shown, and the owner is freed.
    var turnEnd: MonotonicTime { Self.turnEnd(before: deadline) }

    static func turnEnd(before deadline: MonotonicTime) -> MonotonicTime {
        let left = deadline.remaining
        return .now.advanced(by: left - left / 8)
    }

    /// The configured owner timeout, starting now.
    init(_ length: Duration) {
        deadline = .now.advanced(by: length)
        text = "\(Quantity.time(length)) (TELLTALE_OWNER_DEADLINE)"
    }

    /// The earlier of the owner timeout and the deadline of the command.
    init(in context: CommandContext) {
        let owners = OwnerTime(context.agent.configuration.ownerDeadline)
        guard context.deadline < owners.deadline else {
            self = owners
            return
        }
        deadline = context.deadline
        text =
            "\(Quantity.time(context.deadline.since(context.began))) "
            + (context.isTimeAsked ? "(--timeout)" : "(the command's deadline)")
    }
}
#endif
