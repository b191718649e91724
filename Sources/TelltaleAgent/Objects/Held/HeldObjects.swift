#if TELLTALE_AGENT
package import Dispatch
import TelltaleSystem

/// Objects of the host's that are held while they are captured, and then given back where they belong.
///
/// Not thread-safe: it belongs to one capture.
package final class HeldObjects {
    private var objects: [UncheckedObject] = []
    /// Where they belong; nil where nobody says so.
    package var queue: DispatchQueue?

    package init() {}

    package func hold(_ more: [AnyObject]) { objects += more.map(UncheckedObject.init) }

    /// Lets go of all, on their queue. To be called when nothing else in the capture holds one.
    package func giveBack() {
        guard let queue else {
            objects = []
            return
        }
        let isMain = QueueIdentity(of: queue) == QueueIdentity(of: .main)
        SharedState.current.releases.give(&objects, to: isMain ? .mainActor : .queue(queue))
    }
}

/// An object that is handed from thread to thread and touched by none.
struct UncheckedObject: @unchecked Sendable {
    let object: AnyObject
}
#endif
