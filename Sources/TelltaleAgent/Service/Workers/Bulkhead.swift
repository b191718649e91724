#if TELLTALE_AGENT
import Dispatch
import TelltalePicture

/// What may hang together, and how many calls of the agent may hang in it: the bulkhead between one
/// owner and the others.
///
/// A call that waits in an owner's `sync` or in a closure of the host's can't be taken back. With
/// a bound for each owner one that hangs costs that many threads or queued items, however often
/// it is asked for, and the others are still answered.
struct Bulkhead: Hashable, Sendable {
    private enum Key: Hashable {
        case queue(QueueIdentity, isWriting: Bool)
        case actor(ObjectIdentifier)
        case lock(ObjectIdentifier)
        case registration(UInt64)
        case dumpLines
        case runLoop
        case releases
    }

    private let key: Key
    /// How many calls may be under way at once.
    let width: Int

    /// What waits for `owner`; nil where nobody does.
    init?(_ owner: Owner, _ access: Owner.Access) {
        switch owner {
        case .none, .closure: return nil
        case .queue(let queue):
            key = .queue(QueueIdentity(of: queue), isWriting: access == .write)
            width = access == .read && QueueKind(of: queue) == .concurrent ? 2 : 1
        case .mainActor:
            (key, width) = (.queue(QueueIdentity(of: .main), isWriting: false), 1)
        case .lock(let lock): (key, width) = (.lock(ObjectIdentifier(lock)), 1)
        case .actor(let actor): (key, width) = (.actor(actor.identity), 1)
        }
    }

    private init(key: Key, width: Int) { (self.key, self.width) = (key, width) }

    /// A closure of the host's, or an object without an owner.
    static func registration(_ identifier: UInt64) -> Bulkhead {
        Bulkhead(key: .registration(identifier), width: 2)
    }

    /// The closure that takes the lines of dumps.
    static let dumpLines = Bulkhead(key: .dumpLines, width: 1)

    static let runLoop = Bulkhead(key: .runLoop, width: 1)

    /// Values of the host's that have no owner, on their way out.
    static let releases = Bulkhead(key: .releases, width: 1)
}
#endif
