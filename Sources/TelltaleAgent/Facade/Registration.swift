/// The token of a registration. Letting it go ends nothing; ``end()`` does.
public struct Registration: Sendable {
    @usableFromInline let identifier: UInt64

    @usableFromInline init(identifier: UInt64) { self.identifier = identifier }

    #if TELLTALE_AGENT
    /// Takes the name back, unless another registration has replaced it meanwhile.
    ///
    /// - Note: Thread safety: may be called from any thread, and in a `deinit`.
    public func end() { SharedState.current.end(identifier) }
    #else
    /// A token that ends nothing, for what `TelltaleFoundation` doesn't do here.
    @_alwaysEmitIntoClient @inline(__always) public static var nothing: Registration {
        Registration(identifier: 0)
    }

    /// Takes the name back; this build has no agent.
    @_alwaysEmitIntoClient @inline(__always) public func end() {}
    #endif
}
