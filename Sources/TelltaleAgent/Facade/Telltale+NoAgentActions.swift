// The actions of a build without the agent; see `Telltale+NoAgent.swift`.
#if !TELLTALE_AGENT
public import Dispatch

extension Telltale {
    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - names: Not evaluated.
    ///   - queue: Not used.
    ///   - body: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func action<each Argument: Decodable & SendableMetatype, Result>(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        on queue: @autoclosure () -> DispatchQueue,
        _ body: @Sendable (repeat each Argument) throws -> Result
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - names: Not evaluated.
    ///   - queue: Not used.
    ///   - body: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func action<each Argument: Decodable & SendableMetatype, Result>(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        on queue: @autoclosure () -> DispatchQueue,
        _ body: @Sendable (repeat each Argument) async throws -> Result
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - names: Not evaluated.
    ///   - actor: Not used.
    ///   - body: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func action<each Argument: Decodable & Sendable, Result: Sendable>(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        on actor: MainActor,
        _ body: @MainActor @Sendable (repeat each Argument) throws -> Result
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - names: Not evaluated.
    ///   - body: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func action<each Argument: Decodable & SendableMetatype, Result>(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        _ body: @Sendable (repeat each Argument) async throws -> Result
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - names: Not evaluated.
    ///   - object: Not used.
    ///   - method: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func action<
        Object: AnyObject, each Argument: Decodable & SendableMetatype, Result
    >(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        of object: @autoclosure () -> Object,
        _ method: (Object) -> (repeat each Argument) throws -> Result
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - names: Not evaluated.
    ///   - actor: Not used.
    ///   - body: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult @_disfavoredOverload
    public static func action<
        Object: Actor, each Argument: Decodable & SendableMetatype, Result
    >(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        of actor: @autoclosure () -> Object,
        _ body: @Sendable (isolated Object, repeat each Argument) throws -> Result
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - actor: Not used.
    ///   - body: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult @_disfavoredOverload
    public static func action<Object: Actor, Result>(
        _ name: @autoclosure () -> String, of actor: @autoclosure () -> Object,
        _ body: @Sendable (isolated Object) throws -> Result
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - names: Not evaluated.
    ///   - actor: Not used.
    ///   - body: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult @_disfavoredOverload
    public static func action<
        Object: Actor, each Argument: Decodable & SendableMetatype, Result
    >(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        of actor: @autoclosure () -> Object,
        _ body: @Sendable (isolated Object, repeat each Argument) async throws -> Result
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - actor: Not used.
    ///   - body: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult @_disfavoredOverload
    public static func action<Object: Actor, Result>(
        _ name: @autoclosure () -> String, of actor: @autoclosure () -> Object,
        _ body: @Sendable (isolated Object) async throws -> Result
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - name: Not evaluated.
    ///   - names: Not evaluated.
    ///   - actor: Not used.
    ///   - method: Never called.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func action<
        Object: Actor, each Argument: Decodable & SendableMetatype, Result
    >(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        of actor: @autoclosure () -> Object,
        _ method: (isolated Object) -> (repeat each Argument) async throws -> Result
    ) -> Registration { Registration(identifier: 0) }
}
#endif
