/// The token of a registration. Discarding the token does not end the registration; ``end()`` does.
public struct Registration: Sendable {
    @usableFromInline let identifier: UInt64

    @usableFromInline init(identifier: UInt64) { self.identifier = identifier }

    #if TELLTALE_AGENT
    /// Withdraws the name, unless another registration has replaced it in the meantime.
    ///
    /// - Note: Thread safety: may be called from any thread, and in a `deinit`.
    public func end() { SharedState.current.end(identifier) }
    #else
    /// A token that ends nothing, returned for calls of `TelltaleFoundation` that this build leaves out.
    @_alwaysEmitIntoClient @inline(__always) public static var nothing: Registration {
        Registration(identifier: 0)
    }

    /// Does nothing, since this build has no agent.
    @_alwaysEmitIntoClient @inline(__always) public func end() {}
    #endif
}
