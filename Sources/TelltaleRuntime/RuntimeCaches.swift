#if TELLTALE_AGENT
import TelltaleSystem

/// The calibrated layouts of this process, and tables of its loaded code that outlive one capture.
///
/// `Runtime` keeps its state here and does not depend on the agent. A running agent lends it the
/// symbolicator and the release service below.
package final class RuntimeCaches: Sendable {
    package let layouts = Layouts()
    /// The images at the time when a word was last classified as a code address. Nothing is loaded between
    /// most captures.
    let codeImages = Locked<LoadedImages?>(nil)
    let latestImages = Locked<LoadedImages.Latest?>(nil)
    let latestText = Locked<TextRanges.Latest?>(nil)
    private let lentSymbolicator = Locked<Symbolicator?>(nil)
    private let lentRelease = Locked<(@Sendable (any Releasable) -> Void)?>(nil)
    /// Reads files on the calling thread.
    private let ownSymbolicator = Symbolicator()

    private init(inherited: RuntimeCaches?) {
        if let inherited { layouts.adopt(inherited.layouts) }
    }

    private static let forkLocal = ForkLocal(RuntimeCaches.init(inherited:))

    /// The caches of this process. Costs one atomic load after the first call.
    package static var current: RuntimeCaches { forkLocal.current }

    /// The symbolicator of the running agent, or one without workers if no agent is running.
    var symbolicator: Symbolicator { lentSymbolicator.withLock { $0 } ?? ownSymbolicator }

    /// Lends the symbolicator of a starting agent; `nil` takes it back when the agent stops.
    package func lend(_ symbolicator: Symbolicator?) {
        let replaced = lentSymbolicator.withLock { lent in
            defer { lent = symbolicator }
            return lent
        }
        // Released outside of the lock: its deinitialisation frees everything that it has read.
        withExtendedLifetime(replaced) {}
    }

    /// Lends a function that releases a value off the calling thread. It is kept for the life of the
    /// process.
    package func lend(release: @escaping @Sendable (any Releasable) -> Void) {
        lentRelease.withLock { $0 = release }
    }

    /// Releases `value` off the calling thread, or on it if no agent has ever run.
    func release(_ value: any Releasable) {
        guard let release = lentRelease.withLock({ $0 }) else { return value.letGo() }
        release(value)
    }
}

/// An object that holds resources which can be released on a thread chosen for it.
package protocol Releasable: AnyObject, Sendable {
    /// Releases the held resources on the calling thread.
    func letGo()
}
#endif
