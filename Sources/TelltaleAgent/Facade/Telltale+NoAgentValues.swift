// The values that closures make, in a build without the agent; see `Telltale+NoAgent.swift`.
#if !TELLTALE_AGENT
public import Dispatch

extension Telltale {
    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - make: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Value>(
        _ name: @autoclosure () -> String, _ make: @Sendable () -> Value
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - queue: Not used.
    ///   - make: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Value>(
        _ name: @autoclosure () -> String, on queue: @autoclosure () -> DispatchQueue,
        _ make: @Sendable () -> Value
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - actor: Not used.
    ///   - make: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Value>(
        _ name: @autoclosure () -> String, on actor: MainActor,
        _ make: @MainActor @Sendable () -> Value
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - actor: Not used.
    ///   - make: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Host: Actor, Value>(
        _ name: @autoclosure () -> String, on actor: @autoclosure () -> Host,
        _ make: @Sendable (isolated Host) -> Value
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - lock: Never called.
    ///   - make: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Value>(
        _ name: @autoclosure () -> String,
        under lock: @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ make: @Sendable () -> Value
    ) -> Registration { Registration(identifier: 0) }
}
#endif
