#if TELLTALE_AGENT
package import Dispatch
import TelltaleRuntime
import TelltaleSystem

/// A value of the host's that the agent keeps for longer than one owner access.
///
/// The last reference to a `HeldValue` can be dropped on any thread: by a full log, by a call whose caller
/// has gone, or by a stopped agent. In all these cases the value itself is released on its owner, where its
/// `deinit` may run.
final class HeldValue<Value>: Sendable {
    /// The threads that may release the value.
    enum Giving: Sendable {
        /// Only the owner.
        case toOwner
        /// The owner, or a thread of the host's that drops the last reference, as if there were no agent.
        case toOwnerOrHost
        /// Any thread: releasing the value runs no host code, see ``SilentRelease``.
        case anywhere
    }

    private let content: HeldContent<Value>
    private let owner: Owner
    private let giving: Giving

    /// Holds a value that belongs to `owner`.
    init(_ value: Value, of owner: Owner, _ giving: Giving) {
        content = HeldContent(value)
        self.owner = owner
        self.giving = giving
    }

    /// The value; `nil` once it was taken. Read and used only on its owner.
    var value: Value? { content.value }

    /// Moves the value out to the caller, which releases it on the owner.
    func take() -> Value? {
        defer { content.letGo() }
        return content.value
    }

    deinit {
        guard content.value != nil else { return }
        let isOnOwnThread = NativeThread.isAgents
        switch (giving, owner) {
        case (.anywhere, _): content.letGo()
        case (.toOwnerOrHost, _) where !isOnOwnThread: content.letGo()
        // The owner is not known: the value is released here, unless this is one of the agent's threads.
        case (_, .none) where !isOnOwnThread, (_, .closure) where !isOnOwnThread:
            content.letGo()
        default: SharedState.current.releases.give(content, to: owner)
        }
    }
}

/// The storage of a ``HeldValue``. It outlives that until the owner has released the host's value in it.
final class HeldContent<Value>: Releasable, @unchecked Sendable {
    // Set in `init`; read and cleared on the owner, or on a thread that has the last reference.
    private(set) var value: Value?

    init(_ value: Value) { self.value = value }

    func letGo() { value = nil }
}

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
