#if TELLTALE_AGENT
package import Dispatch
import TelltaleRuntime
import TelltaleSystem

/// Objects of the host's, retained during a capture and afterwards released on their queue.
///
/// Not thread-safe: it belongs to one capture.
package final class HeldObjects {
    private var objects: [UncheckedObject] = []
    /// The queue that owns the objects; `nil` if it is not known.
    package var queue: DispatchQueue?

    package init() {}

    package func hold(_ more: [AnyObject]) { objects += more.map(UncheckedObject.init) }

    /// Releases all objects on their queue. Called when nothing else in the capture retains one of them.
    package func giveBack() {
        guard let queue else {
            objects = []
            return
        }
        let isMain = QueueIdentity(of: queue) == QueueIdentity(of: .main)
        SharedState.current.releases.give(&objects, to: isMain ? .mainActor : .queue(queue))
    }
}

/// An object reference passed between threads; no thread accesses the object through it.
struct UncheckedObject: @unchecked Sendable {
    let object: AnyObject
}
#endif
