#if TELLTALE_AGENT
import Synchronization
import TelltaleProtocol

@testable import TelltaleAgent

// The objects that were read are kept: the root itself keeps nothing alive.
private let kept = Mutex<[UncheckedObject]>([])

extension ReadRoot {
    /// An object, which lives from now on.
    static func object(_ object: AnyObject) -> ReadRoot {
        let object = UncheckedObject(object: object)
        kept.withLock { $0.append(object) }
        return .object(at: UInt(bitPattern: Unmanaged.passUnretained(object.object).toOpaque()))
    }
}
#endif
