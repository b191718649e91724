#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Who guards a registered object: where it may be read and changed.
enum Owner: Sendable {
    /// Nobody: a Sendable object.
    case none
    /// Read with `sync`, changed with a barrier.
    case queue(DispatchQueue)
    /// Its executor.
    case actor(WeakActor)
    /// The main queue.
    case mainActor
    /// A closure that calls its argument under the host's lock.
    case lock(HostLock)
    /// The registration is itself a closure.
    case closure

    /// Whether what is done only looks, or changes something.
    enum Access: Sendable {
        case read, write

        var flags: DispatchWorkItemFlags { self == .write ? .barrier : [] }
    }

    /// As `objects` shows it.
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

    /// Whether nobody guards the object.
    var isNone: Bool {
        if case .none = self { return true }
        return false
    }

    /// Whether the compiler knows it as the isolation of what runs there, which runs nowhere else then.
    var isIsolation: Bool {
        switch self {
        case .actor, .mainActor: true
        case .none, .queue, .lock, .closure: false
        }
    }

    /// The queue that can be waited for without a thread of one's own.
    var dispatchQueue: DispatchQueue? {
        switch self {
        case .queue(let queue): queue
        case .mainActor: .main
        default: nil
        }
    }

    /// As a marked line names it: `queue com.example.photos`.
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

/// A closure of the host's that runs another one under its lock.
final class HostLock: Sendable {
    typealias Run = @Sendable (@escaping @Sendable () -> Void) -> Void
    private let held: HeldValue<Run>

    init(_ run: @escaping Run) { held = HeldValue(run, of: .none, .toOwnerOrHost) }

    func run(_ body: @escaping @Sendable () -> Void) { held.value?(body) }
}

/// A reference that keeps nothing alive.
final class Weak<Object: AnyObject>: @unchecked Sendable {
    // Written once, in `init`; a weak reference may be loaded on any thread. Never cast with `as?`:
    // an empty one is boxed by that in a debug build, and the box is not nil.
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}

extension HostCall {
    /// Runs `body` where `owner` allows it, and waits for it until `deadline`. Without a bulkhead
    /// of its own it may hang with its owner.
    ///
    /// `sync` on a worker and not `async`: it runs on the calling thread, so that an idle queue is
    /// read also while every thread of Dispatch is blocked. Where no worker is to be had it is
    /// `async`; the main queue needs neither.
    ///
    /// - Important: Runs host code only where `body` or the owner's lock closure does.
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

    /// Begins such a call; several can be waited for together.
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
            // Whoever drains the main queue needs no thread to wait with.
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

/// How long an owner may take to answer, and which bound that is.
struct OwnerTime: Sendable {
    let deadline: MonotonicTime
    /// The bound as messages name it: `1.0 s (TELLTALE_OWNER_DEADLINE)`, `200 ms (--timeout)`.
    let text: String

    /// A little before the owner is given up: what was read by then is shown, and the owner is let go.
    var turnEnd: MonotonicTime { Self.turnEnd(before: deadline) }

    static func turnEnd(before deadline: MonotonicTime) -> MonotonicTime {
        let left = deadline.remaining
        return .now.advanced(by: left - left / 8)
    }

    /// The bound of owners, from now on, as the configuration says it.
    init(_ length: Duration) {
        deadline = .now.advanced(by: length)
        text = "\(Quantity.time(length)) (TELLTALE_OWNER_DEADLINE)"
    }

    /// The bound that is met first: the owners', or that of the command which asks.
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
