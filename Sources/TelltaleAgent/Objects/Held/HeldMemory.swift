#if TELLTALE_AGENT
import TelltaleSystem

/// The references that keep the memory of objects, so that it is let go also where nobody asks for them.
///
/// Whoever registers an object looks at a few of the earlier ones: a host that registers one for each
/// of its requests has the memory of a handful kept, also while the agent is switched off or stopped.
final class HeldMemory: Sendable {
    private struct State {
        var references: [Weak<HostReference>] = []
        var next = 0
    }

    private static let looks = 4
    private let state = Locked(State())

    /// Takes one more, and looks at some of the others.
    func add(_ reference: HostReference) {
        state.withLock { state in
            state.references.append(Weak(reference))
            for _ in 0..<min(Self.looks, state.references.count) {
                if state.next >= state.references.count { state.next = 0 }
                // No code of the host's runs here: an object without a life has its memory freed.
                if state.references[state.next].object?.isGone ?? true {
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
