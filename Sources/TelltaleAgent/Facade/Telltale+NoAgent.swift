// The entry points of a build without the agent, in which nothing of a host's calls is left: they are
// inlined away, and what would be said about objects (names, closures) is behind autoclosures or in
// parameters that nothing reads, so that the optimiser drops it too.
#if !TELLTALE_AGENT
public import Dispatch

extension Telltale {
    /// Does nothing: this build has no agent.
    ///
    /// - Parameter configuration: Not evaluated.
    /// - Returns: A status that says so.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func start(
        _ configuration: @autoclosure () -> AgentConfiguration = AgentConfiguration()
    ) -> AgentStatus { AgentStatus(state: AgentStatus.State(rawValue: "not built")) }

    /// Does nothing: this build has no agent.
    @_alwaysEmitIntoClient @inline(__always)
    public static func stop() {}

    /// That this build has no agent.
    @_alwaysEmitIntoClient @inline(__always)
    public static var status: AgentStatus {
        AgentStatus(state: AgentStatus.State(rawValue: "not built"))
    }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - object: Not used.
    ///   - name: Not evaluated.
    ///   - inDumps: Not used.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Object: AnyObject & Sendable>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        inDumps: Bool = true
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - object: Not used.
    ///   - name: Not evaluated.
    ///   - queue: Not used.
    ///   - inDumps: Not used.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Object: AnyObject>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        on queue: @autoclosure () -> DispatchQueue, inDumps: Bool = true
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - object: Not used.
    ///   - name: Not evaluated.
    ///   - actor: Not used.
    ///   - inDumps: Not used.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Object: AnyObject>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        on actor: MainActor, inDumps: Bool = true
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - object: Not used.
    ///   - name: Not evaluated.
    ///   - lock: Never called.
    ///   - inDumps: Not used.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Object: AnyObject>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        under lock: @Sendable (@escaping @Sendable () -> Void) -> Void, inDumps: Bool = true
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameters:
    ///   - object: Not used.
    ///   - name: Not evaluated.
    ///   - lock: Never called.
    ///   - inDumps: Not used.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func register<Object: AnyObject>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        under lock: @Sendable (Object, @escaping @Sendable () -> Void) -> Void,
        inDumps: Bool = true
    ) -> Registration { Registration(identifier: 0) }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameter queue: Not used.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func observe(_ queue: @autoclosure () -> DispatchQueue) -> Registration {
        Registration(identifier: 0)
    }

    /// Does nothing: this build has no agent.
    ///
    /// - Parameter task: Not evaluated.
    /// - Returns: A token that ends nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func observe<Success, Failure>(
        _ task: @autoclosure () -> Task<Success, Failure>
    ) -> Registration { Registration(identifier: 0) }

    // MARK: Signals

    /// Does nothing: this build has no agent, and the signal stays as it is.
    ///
    /// - Parameters:
    ///   - signal: Not used.
    ///   - queue: The queue of the source, which never fires.
    ///   - handler: Never called.
    /// - Returns: A source that never fires.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func on(
        _ signal: @autoclosure () -> SignalName, queue: DispatchQueue,
        _ handler: @Sendable (SignalReport) -> Void
    ) -> any DispatchSourceProtocol {
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        source.activate()
        return source
    }
}
#endif
