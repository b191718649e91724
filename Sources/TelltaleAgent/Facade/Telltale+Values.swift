// Values that closures make, on the owner that guards what they look at.
#if TELLTALE_AGENT
public import Dispatch

extension Telltale {
    /// Shows what a closure makes, each time it is looked at.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - make: Runs on a thread of the agent's, with a deadline.
    /// - Returns: The token that takes the name back.
    @discardableResult
    public static func register<Value>(
        _ name: String, _ make: @escaping @Sendable () -> Value
    ) -> Registration {
        Registrar.register(name, type: Value.self, owner: .closure) { make() }
    }

    /// Shows what a closure makes on a queue, each time it is looked at:
    /// `Telltale.register("free", on: queue) { pool.free.count }`.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - queue: Where the closure runs, with `sync` and a deadline; held strongly, and observed.
    ///   - make: What it does; the value is read on the queue too.
    /// - Returns: The token that takes the name back.
    @discardableResult
    public static func register<Value>(
        _ name: String, on queue: DispatchQueue, _ make: @escaping @Sendable () -> Value
    ) -> Registration {
        observe(queue)
        return Registrar.register(name, type: Value.self, owner: .queue(queue)) { make() }
    }

    /// Shows what a closure makes on the main actor, each time it is looked at.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - actor: `MainActor.shared`.
    ///   - make: Runs on the main queue, with a deadline; the value is read there too.
    /// - Returns: The token that takes the name back.
    @discardableResult
    public static func register<Value>(
        _ name: String, on actor: MainActor, _ make: @escaping @MainActor @Sendable () -> Value
    ) -> Registration {
        observe(DispatchQueue.main)
        // The owner is the main queue, so this is its thread; the value stays on it.
        let here = unsafeBitCast(make, to: (@Sendable () -> Value).self)
        return Registrar.register(name, type: Value.self, owner: .mainActor) { here() }
    }

    /// Shows what a closure makes on an actor, each time it is looked at:
    /// `Telltale.register("balance", on: bank) { $0.balance }`.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - actor: Held weakly; once it is gone, so is the value.
    ///   - make: Runs on the actor, with a deadline; the value is read there too.
    /// - Returns: The token that takes the name back.
    @discardableResult
    public static func register<Host: Actor, Value>(
        _ name: String, on actor: Host, _ make: @escaping @Sendable (isolated Host) -> Value
    ) -> Registration {
        // It runs on the actor's executor alone: what `assumeIsolated` does, without its trap.
        let here = unsafeBitCast(make, to: (@Sendable (Host) -> Value).self)
        let weak = Weak(actor)
        return Registrar.register(
            name, type: Value.self, owner: .actor(WeakActor(actor)), of: actor
        ) { weak.object.map { here($0) } }
    }

    /// Shows what a closure makes under a lock, each time it is looked at.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - lock: Calls its argument once, under the lock: `{ body in lock.withLock { body() } }`.
    ///   - make: Runs under the lock, on a thread of the agent's, with a deadline; the value is read
    ///     there too.
    /// - Returns: The token that takes the name back.
    @discardableResult
    public static func register<Value>(
        _ name: String,
        under lock: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ make: @escaping @Sendable () -> Value
    ) -> Registration {
        Registrar.register(name, type: Value.self, owner: .lock(HostLock(lock))) { make() }
    }
}
#endif
