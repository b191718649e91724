// The entry points of a build without the agent; see `Telltale+NoAgent.swift`.
#if !TELLTALE_AGENT
public import Foundation
public import TelltaleAgent

extension Telltale {
    /// Does nothing: this build has no agent.
    @_alwaysEmitIntoClient @inline(__always)
    public static func useFoundation() {}

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - queue: Not used.
    ///   - name: Not evaluated.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func observe(
        _ queue: @autoclosure () -> OperationQueue, as name: @autoclosure () -> String? = nil
    ) -> Registration { .nothing }
}
#endif
