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

/// The references that keep the memory of objects, so that it is let go also where nobody asks for them.
///
/// Whoever registers an object checks a few of the earlier ones: a host that registers one for each
/// of its requests has the memory of a handful kept, also while the agent is switched off or stopped.
final class HeldMemory: Sendable {
    private struct State {
        // Strong, and let go where nobody else has one: a weak one costs two more allocations.
        var references: [HostReference] = []
        var next = 0
    }

    private static let checked = 4
    private let state = Locked(State())

    /// Takes one more, and checks some of the others.
    func add(_ reference: HostReference) {
        state.withLock { state in
            state.references.append(reference)
            for _ in 0..<min(Self.checked, state.references.count) {
                if state.next >= state.references.count { state.next = 0 }
                // No code of the host's runs here: an object without a life has its memory freed.
                if isKnownUniquelyReferenced(&state.references[state.next])
                    || state.references[state.next].isGone
                {
                    state.references.swapAt(state.next, state.references.count - 1)
                    state.references.removeLast()
                } else {
                    state.next += 1
                }
            }
        }
    }
}
#endif
