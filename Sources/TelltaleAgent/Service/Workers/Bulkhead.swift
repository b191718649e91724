#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleRuntime

/// A limit on the number of agent calls that may block on one owner: it isolates that owner from the
/// others.
///
/// A call that waits in an owner's `sync` or in a host closure can't be cancelled. With a limit for each
/// owner, a blocked owner costs that many threads or queued items, however often clients ask for it, and
/// the other owners still respond.
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
    /// The maximum number of calls that may run at once.
    let width: Int

    /// The bulkhead of calls on `owner`; nil if none of them waits for it.
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

    /// The bulkhead of a host closure, or of an object without an owner.
    static func registration(_ identifier: UInt64) -> Bulkhead {
        Bulkhead(key: .registration(identifier), width: 2)
    }

    /// The bulkhead of the closure that receives the lines of dumps.
    static let dumpLines = Bulkhead(key: .dumpLines, width: 1)

    static let runLoop = Bulkhead(key: .runLoop, width: 1)

    /// The bulkhead of host values without an owner that are being released.
    static let releases = Bulkhead(key: .releases, width: 1)
}
#endif
