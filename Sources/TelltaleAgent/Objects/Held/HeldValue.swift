#if TELLTALE_AGENT
import TelltaleSystem

/// Something of the host's that the agent keeps for longer than a turn on its owner.
///
/// Whoever lets the last of these go, wherever that is (a log that is full, a call whose caller has gone,
/// an agent that was stopped), the value itself is let go on its owner, where its `deinit` may run.
final class HeldValue<Value>: Sendable {
    /// Who may let it go.
    enum Giving: Sendable {
        /// Its owner, always.
        case toOwner
        /// Its owner, or a thread of the host's that lets it go itself: as if there were no agent.
        case toOwnerOrHost
        /// Whoever has it last: that runs no code of the host's, see ``SilentRelease``.
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

    /// The value; nil once it was taken. To be asked for, and used, on its owner.
    var value: Value? { content.value }

    /// Hands the value over to the caller, who lets it go on its owner.
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
        // Nobody says where it belongs: then as well here, unless that is a thread of the agent's.
        case (_, .none) where !isOnOwnThread, (_, .closure) where !isOnOwnThread:
            content.letGo()
        default: SharedState.current.releases.give(content, to: owner)
        }
    }
}

/// Something of the host's until it is let go, where that may be: the value of a ``HeldValue``, which outlives
/// that until its owner has let it go.
final class HeldContent<Value>: Releasable, @unchecked Sendable {
    // Set in `init`, read and emptied on the owner or where nobody else has it any more.
    private(set) var value: Value?

    init(_ value: Value) { self.value = value }

    func letGo() { value = nil }
}
#endif
