#if TELLTALE_COMPILED
/// The version of the protocol that this code speaks, and which others it understands.
///
/// The history of versions is on the grammar page, `Wire.md`.
public enum ProtocolVersion {
    /// The version that this code writes.
    public static let current = 1
    /// The oldest version that this code still understands.
    public static let oldest = 1

    /// Returns whether a peer that speaks `version` can be understood.
    ///
    /// - Parameter version: The peer's version.
    /// - Returns: `true` if this code writes or still reads that version.
    public static func isSupported(_ version: Int) -> Bool {
        (oldest...current).contains(version)
    }
}

/// The version of agent and client.
package enum ProductVersion {
    package static let current = "0.1.0"
}
#endif
