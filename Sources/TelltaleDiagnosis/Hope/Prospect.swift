#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// The prospect of a wait that has no owner.
enum Prospect: Equatable {
    /// Nothing in the process can reach the object waited for.
    case nothing
    /// Something that lives reaches it, and may end the wait.
    case hope(StuckAnswer.Hope)
    /// Unknown: the retainer is seen, but not whether it will use the object.
    case maybe(StuckAnswer.Hope)

    /// The potential waker; `nil` for none.
    var hope: StuckAnswer.Hope? {
        switch self {
        case .nothing: nil
        case .hope(let hope), .maybe(let hope): hope
        }
    }
}

extension WaitForGraph.Node {
    /// The object it waits for, as a search of the memory names it; `nil` for an object with an
    /// owner.
    var target: WaitTarget? {
        switch self {
        case .semaphore(let address): .semaphore(address)
        case .group(let address): .group(address)
        case .condition(let address): .condition(address)
        case .task(let address): .continuation(task: address)
        case .thread, .queue, .lock, .pool, .actor, .operation: nil
        }
    }
}

/// The certainty that a node continues: a path through a doubtful node is doubtful itself.
enum Chance: Comparable {
    case none, unknown, lives
}

extension Prospect {
    var chance: Chance {
        switch self {
        case .nothing: .none
        case .maybe: .unknown
        case .hope: .lives
        }
    }
}

extension Comparison {
    /// Returns the activity of a thread that may end another one's wait.
    func hopeState(of thread: ThreadFacts) -> StuckAnswer.State? {
        switch thread.wait {
        case .running: .runs
        case .time: .time
        case .event(let call), .eventLoop(let call), .unknown(let call): .call(name: call)
        default: nil
        }
    }
}

extension ThreadFacts {
    /// Indicates that it waits for a signal to the process, which may come from outside.
    var isInSignalWait: Bool {
        if case .waiting(let call) = state { call.name == "rt_sigtimedwait" } else { false }
    }
}
#endif
