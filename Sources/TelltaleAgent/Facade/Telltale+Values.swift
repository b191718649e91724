// Values that closures make, on the owner that guards what they look at.
public import Dispatch

extension Telltale {
    /// Shows what a closure makes, each time it is looked at. A read-only agent runs it only with
    /// `run: .inReadOnlyMode`.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - options: When it runs.
    ///   - make: Runs on a thread of the agent's, with a deadline.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Value>(
        _ name: @autoclosure () -> String, run options: RunOptions = [],
        _ make: @escaping @Sendable () -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.register(name(), type: Value.self, owner: .closure, run: options) { make() }
        #else
        .nothing
        #endif
    }

    /// Shows what a closure makes on a queue, each time it is looked at:
    /// `Telltale.register("free", on: queue) { pool.free.count }`.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - queue: Where the closure runs, with `sync` and a deadline; held and observed until
    ///     the name is taken back.
    ///   - options: When it runs.
    ///   - make: What it does; the value is read on the queue too.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Value>(
        _ name: @autoclosure () -> String, on queue: @autoclosure () -> DispatchQueue,
        run options: RunOptions = [], _ make: @escaping @Sendable () -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.register(name(), type: Value.self, owner: .queue(queue()), run: options) {
            make()
        }
        #else
        .nothing
        #endif
    }

    /// Shows what a closure makes on the main actor, each time it is looked at.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - actor: `MainActor.shared`.
    ///   - options: When it runs.
    ///   - make: Runs on the main queue, with a deadline; the value is read there too.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Value>(
        _ name: @autoclosure () -> String, on actor: MainActor,
        run options: RunOptions = [], _ make: @escaping @MainActor @Sendable () -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        // The owner is the main queue, so this is its thread; the value stays on it.
        let here = unsafeBitCast(make, to: (@Sendable () -> Value).self)
        return Registrar.register(name(), type: Value.self, owner: .mainActor, run: options) {
            here()
        }
        #else
        .nothing
        #endif
    }

    /// Shows what a closure makes on an actor, each time it is looked at:
    /// `Telltale.register("balance", on: bank) { $0.balance }`.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - actor: Held weakly; once it is gone, so is the value.
    ///   - options: When it runs.
    ///   - make: Runs on the actor, with a deadline; the value is read there too.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Host: Actor, Value>(
        _ name: @autoclosure () -> String, on actor: @autoclosure () -> Host,
        run options: RunOptions = [], _ make: @escaping @Sendable (isolated Host) -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        // It runs on the actor's executor alone: what `assumeIsolated` does, without its trap.
        let here = unsafeBitCast(make, to: (@Sendable (Host) -> Value).self)
        let actor = actor()
        let weak = Weak(actor)
        return Registrar.register(
            name(), type: Value.self, owner: .actor(WeakActor(actor)), of: actor, run: options
        ) { weak.object.map { here($0) } }
        #else
        .nothing
        #endif
    }

    /// Shows what a closure makes under a lock, each time it is looked at.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - lock: Calls its argument once, under the lock: `{ body in lock.withLock { body() } }`.
    ///   - options: When it runs.
    ///   - make: Runs under the lock, on a thread of the agent's, with a deadline; the value is read
    ///     there too.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Value>(
        _ name: @autoclosure () -> String,
        under lock: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        run options: RunOptions = [], _ make: @escaping @Sendable () -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.register(name(), type: Value.self, owner: .lock(HostLock(lock)), run: options) {
            make()
        }
        #else
        .nothing
        #endif
    }
}
