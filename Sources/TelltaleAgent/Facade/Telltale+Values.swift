// Values computed by closures, on the owner that guards the state that they read.
public import Dispatch

extension Telltale {
    /// Shows the result of a closure, computed at each access. A read-only agent runs the closure only with
    /// `run: .inReadOnlyMode`.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - options: The mode in which the closure runs.
    ///   - make: Computes the value on an agent thread, with a deadline.
    /// - Returns: The token that withdraws the name.
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

    /// Shows the result of a closure, computed on a queue at each access:
    /// `Telltale.register("free", on: queue) { pool.free.count }`.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - queue: The queue on which the closure runs, with `sync` and a deadline. It is retained and
    ///     observed until the name is withdrawn.
    ///   - options: The mode in which the closure runs.
    ///   - make: Computes the value, which is read on the queue too.
    /// - Returns: The token that withdraws the name.
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

    /// Shows the result of a closure, computed on the main actor at each access.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - actor: `MainActor.shared`.
    ///   - options: The mode in which the closure runs.
    ///   - make: Computes the value on the main queue, with a deadline; the value is read there too.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Value>(
        _ name: @autoclosure () -> String, on actor: MainActor,
        run options: RunOptions = [], _ make: @escaping @MainActor @Sendable () -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        // The owner is the main queue, so this closure runs on the main thread and the value stays there.
        let here = unsafeBitCast(make, to: (@Sendable () -> Value).self)
        return Registrar.register(name(), type: Value.self, owner: .mainActor, run: options) {
            here()
        }
        #else
        .nothing
        #endif
    }

    /// Shows the result of a closure, computed on an actor at each access:
    /// `Telltale.register("balance", on: bank) { $0.balance }`.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - actor: The actor, held weakly; the value disappears when the actor is deallocated.
    ///   - options: The mode in which the closure runs.
    ///   - make: Computes the value on the actor, with a deadline; the value is read there too.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Host: Actor, Value>(
        _ name: @autoclosure () -> String, on actor: @autoclosure () -> Host,
        run options: RunOptions = [], _ make: @escaping @Sendable (isolated Host) -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        // The closure runs on the actor's executor only; this is `assumeIsolated` without its trap.
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

    /// Shows the result of a closure, computed under a lock at each access.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - lock: Calls its argument once, under the lock: `{ body in lock.withLock { body() } }`.
    ///   - options: The mode in which the closure runs.
    ///   - make: Computes the value under the lock, on an agent thread and with a deadline; the value is
    ///     read there too.
    /// - Returns: The token that withdraws the name.
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
