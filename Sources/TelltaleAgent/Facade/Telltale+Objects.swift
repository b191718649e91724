public import Dispatch

extension Telltale {
    /// Starts the agent of this process: its thread, its signals and its socket.
    ///
    /// It never throws or traps, and the host continues in any case: the returned status, ``status`` and
    /// one line on standard error name what failed. The agent starts once per process; a later call changes
    /// nothing and says so. A forked child that calls it gets an agent of its own.
    ///
    /// - Parameter configuration: The settings; the environment overrides them.
    /// - Returns: The status after the attempt.
    /// - Note: Thread safety: may be called from several threads at once. Each later caller waits at most
    ///   three seconds for the first one to finish. Once it has returned, the agent handles every signal
    ///   that arrives.
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

    /// Stops the agent and releases its resources: it restores the signal handlers, closes the socket and
    /// ends its threads. Registered objects stay registered for a later ``start(_:)``.
    ///
    /// - Note: Thread safety: may be called from any thread. Waits at most two seconds, and at most three
    ///   for another thread that is inside `start()` or `stop()`.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    public static func stop() {
        #if TELLTALE_AGENT
        Agent.stop()
        #endif
    }

    /// The current status of the agent.
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
    /// An object that is not an actor can't be changed. Its properties are read in place if they are `let`
    /// or trivial machine words, and in a snapshot of the process otherwise.
    ///
    /// "Type 'Cache' does not conform to the 'Sendable' protocol" means that the owner of the object must
    /// be named: use ``register(_:as:on:inDumps:)`` or ``register(_:as:under:inDumps:)``.
    ///
    /// - Parameters:
    ///   - object: The object, held weakly.
    ///   - name: The name that clients use. A second registration of a name replaces the first and is
    ///     reported. A name that is a command is refused.
    ///   - inDumps: Includes the object in dumps.
    /// - Returns: The token that withdraws the name.
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
    ///   - object: The object, held weakly.
    ///   - name: The name that clients use.
    ///   - queue: The queue that guards the object. It is retained and observed as long as the object is
    ///     alive and registered.
    ///   - inDumps: Includes the object in dumps.
    /// - Returns: The token that withdraws the name.
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

    /// Shows an object that is isolated to the main actor.
    ///
    /// - Parameters:
    ///   - object: The object, held weakly.
    ///   - name: The name that clients use.
    ///   - actor: `MainActor.shared`.
    ///   - inDumps: Includes the object in dumps.
    /// - Returns: The token that withdraws the name.
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
    ///   - object: The object, held weakly.
    ///   - name: The name that clients use.
    ///   - lock: Calls its argument once, under the lock: `{ body in lock.withLock { _ in body() } }`. It
    ///     runs on an agent thread and may block; the agent abandons it at its deadline. Values that `set`
    ///     replaces are released under the lock, so their `deinit` must not take it.
    ///   - inDumps: Includes the object in dumps.
    /// - Returns: The token that withdraws the name.
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

    /// Shows an object that is guarded by its own lock, even if no closure may capture that lock:
    /// `Telltale.register(cache, as: "cache", under: { $0.withLock($1) })`.
    ///
    /// - Parameters:
    ///   - object: The object, held weakly.
    ///   - name: The name that clients use.
    ///   - lock: Receives the object and a closure, and calls the closure once, under the object's lock;
    ///     otherwise as in ``register(_:as:under:inDumps:)``.
    ///   - inDumps: Includes the object in dumps.
    /// - Returns: The token that withdraws the name.
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
            // A deallocated object is not read.
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

    /// Observes a queue: clients see its latency, and whether it responds at all.
    ///
    /// - Parameter queue: The queue, retained. A queue that owns a registered object is already observed as
    ///   long as the object is alive.
    /// - Returns: The token that ends the observation; if the queue is observed again, only the latest
    ///   token does.
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

    /// Observes a task, so that clients can cancel it. Clients can see all other tasks but not cancel them:
    /// a task that is not retained could be freed while it is being cancelled.
    ///
    /// - Parameter task: The task, retained until it has ended or the token is used. Each later call
    ///   releases some of the ended tasks.
    /// - Returns: The token that ends the observation.
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

    /// Runs a host handler when a signal arrives.
    ///
    /// - Parameters:
    ///   - signal: The signal. ``SignalName/stop`` can't be caught and is reported when the process
    ///     continues; ``SignalName/continue`` follows every pause, also one by a debugger.
    ///   - queue: The queue on which the handler runs.
    ///   - handler: The work.
    /// - Returns: A dispatch source that is already active and stays so as long as the process runs;
    ///   `cancel()` ends it.
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
