public import Dispatch

extension Telltale {
    /// Starts the agent of this process: its thread, its signals and its socket.
    ///
    /// It never throws or traps, and the host goes on whatever happens: what failed is in the
    /// status, in ``status``, and in one line on standard error. Once for each process; a later
    /// call changes nothing and says so. A forked child that calls it gets an agent of its own.
    ///
    /// - Parameter configuration: Every bound and every signal; the environment overrides it.
    /// - Returns: What came of it.
    /// - Note: Thread safety: from any thread, several at once: each waits for the one that came
    ///   first, at most three seconds. A signal that comes the moment it has returned is answered.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func start(
        _ configuration: @autoclosure () -> AgentConfiguration = AgentConfiguration()
    ) -> AgentStatus {
        #if TELLTALE_AGENT
        Agent.start(configuration())
        #else
        AgentStatus(state: AgentStatus.State(rawValue: "not built"))
        #endif
    }

    /// Stops the agent and gives everything back: signals as they were, socket, threads. What is
    /// registered stays, for a later ``start(_:)``.
    ///
    /// - Note: Thread safety: from any thread. Waits at most two seconds, and for another thread that
    ///   is inside `start()` or `stop()` at most three.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    public static func stop() {
        #if TELLTALE_AGENT
        Agent.stop()
        #endif
    }

    /// How the agent is now.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    public static var status: AgentStatus {
        #if TELLTALE_AGENT
        let shared = SharedState.current
        return shared.agent?.status ?? AgentStatus(state: .stopped, problems: shared.notes)
        #else
        AgentStatus(state: AgentStatus.State(rawValue: "not built"))
        #endif
    }

    // MARK: Objects

    /// Shows a Sendable object, or an actor, which is read on its executor.
    ///
    /// Any other object is read in place as far as its properties are `let` or plain machine words,
    /// and else in a frozen copy of the process; it can't be changed.
    ///
    /// "Type 'Cache' does not conform to the 'Sendable' protocol" asks who guards the object: say so with
    /// ``register(_:as:on:inDumps:)`` or ``register(_:as:under:inDumps:)``.
    ///
    /// - Parameters:
    ///   - object: Held weakly.
    ///   - name: How clients name it. A second registration of a name replaces the first, and that
    ///     is said. A command's name is refused.
    ///   - inDumps: Whether dumps show it too.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Object: AnyObject & Sendable>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        inDumps: Bool = true
    ) -> Registration {
        #if TELLTALE_AGENT
        let object = object()
        let owner = (object as? any Actor).map { Owner.actor(WeakActor($0)) } ?? .none
        return Registrar.register(object, as: name(), owner: owner, inDumps: inDumps)
        #else
        .nothing
        #endif
    }

    /// Shows an object that a queue guards: read with `sync`, changed with a barrier.
    ///
    /// - Parameters:
    ///   - object: Held weakly.
    ///   - name: How clients name it.
    ///   - queue: Where it may be touched; held and observed as long as the object is there
    ///     and registered.
    ///   - inDumps: Whether dumps show it too.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Object: AnyObject>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        on queue: @autoclosure () -> DispatchQueue, inDumps: Bool = true
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.register(object(), as: name(), owner: .queue(queue()), inDumps: inDumps)
        #else
        .nothing
        #endif
    }

    /// Shows an object of the main actor.
    ///
    /// - Parameters:
    ///   - object: Held weakly.
    ///   - name: How clients name it.
    ///   - actor: `MainActor.shared`.
    ///   - inDumps: Whether dumps show it too.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Object: AnyObject>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        on actor: MainActor, inDumps: Bool = true
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.register(object(), as: name(), owner: .mainActor, inDumps: inDumps)
        #else
        .nothing
        #endif
    }

    /// Shows an object that a lock guards.
    ///
    /// - Parameters:
    ///   - object: Held weakly.
    ///   - name: How clients name it.
    ///   - lock: Calls its argument once, under the lock:
    ///     `{ body in lock.withLock { _ in body() } }`. It runs on a thread of the agent's, and may
    ///     wait; the agent gives it up at its deadline. Values that `set` replaces are freed in it: their
    ///     `deinit` must not take the lock.
    ///   - inDumps: Whether dumps show it too.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Object: AnyObject>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        under lock: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        inDumps: Bool = true
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.register(object(), as: name(), owner: .lock(HostLock(lock)), inDumps: inDumps)
        #else
        .nothing
        #endif
    }

    /// Shows an object that a lock of its own guards, also one that no closure may capture:
    /// `Telltale.register(cache, as: "cache", under: { $0.withLock($1) })`.
    ///
    /// - Parameters:
    ///   - object: Held weakly.
    ///   - name: How clients name it.
    ///   - lock: Is given the object and what it calls once, under the object's lock; otherwise as in
    ///     ``register(_:as:under:inDumps:)``.
    ///   - inDumps: Whether dumps show it too.
    /// - Returns: The token that takes the name back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func register<Object: AnyObject>(
        _ object: @autoclosure () -> Object, as name: @autoclosure () -> String,
        under lock: @escaping @Sendable (Object, @escaping @Sendable () -> Void) -> Void,
        inDumps: Bool = true
    ) -> Registration {
        #if TELLTALE_AGENT
        let object = object()
        let weak = Weak(object)
        let run: HostLock.Run = { body in
            // Of one that is gone nothing is read.
            guard let object = weak.object else { return body() }
            lock(object, body)
        }
        return Registrar.register(
            object, as: name(), owner: .lock(HostLock(run)), inDumps: inDumps)
        #else
        .nothing
        #endif
    }

    // MARK: Queues

    /// Observes a queue: clients see its latency, and whether it answers at all.
    ///
    /// - Parameter queue: Held strongly. A queue that owns a registered object is observed already, as long as
    ///   the object is there.
    /// - Returns: The token that ends it; of a queue that is observed again, the latest one.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func observe(_ queue: @autoclosure () -> DispatchQueue) -> Registration {
        #if TELLTALE_AGENT
        Registrar.observe(queue())
        #else
        .nothing
        #endif
    }

    /// Observes a task: clients can cancel it. All others they only see: one that isn't held could be
    /// freed while it is being cancelled.
    ///
    /// - Parameter task: Held until it has ended or the token is used; some of those that have ended
    ///   are let go with each later call.
    /// - Returns: The token that ends it.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func observe<Success, Failure>(
        _ task: @autoclosure () -> Task<Success, Failure>
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.observe(task())
        #else
        .nothing
        #endif
    }

    // MARK: Signals

    /// Hangs work of the host's own on a signal.
    ///
    /// - Parameters:
    ///   - signal: The signal. ``SignalName/stop`` can't be caught and is told when the process goes
    ///     on; ``SignalName/continue`` comes after every pause, a debugger's too.
    ///   - queue: Where the handler runs.
    ///   - handler: What to do.
    /// - Returns: A dispatch source that runs already and for as long as the process does; `cancel()`
    ///   ends it.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func on(
        _ signal: @autoclosure () -> SignalName, queue: DispatchQueue,
        _ handler: @escaping @Sendable (SignalReport) -> Void
    ) -> any DispatchSourceProtocol {
        #if TELLTALE_AGENT
        let signal = signal()
        let shared = SharedState.current
        let source = shared.signalSubscriptions.add(signal, queue: queue, handler: handler)
        if signal != .stop { shared.agent?.take(signal) }
        return source
        #else
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        source.activate()
        return source
        #endif
    }
}
