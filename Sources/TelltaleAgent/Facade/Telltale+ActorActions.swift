// Actions on actors. A closure loses its `isolated` parameter if the parameter pack after it is empty
// (swift-6.3.1), so closures without arguments have entry points of their own. All entry points that take a
// closure are disfavoured: the compiler would take a method's name for a closure that returns a function.
extension Telltale {
    /// Offers a closure that is isolated to an actor as a command:
    /// `Telltale.action("bank.deposit", of: bank) { $0.deposit($1) }`.
    ///
    /// A method that isn't `async` can't be given by its name alone (`Bank.deposit`): Swift has no value
    /// for a method whose isolation is not yet bound (swift-6.3.1: "call to actor-isolated instance method
    /// in a synchronous nonisolated context").
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - names: The names of the arguments, in order. A call is recorded with the value of each argument
    ///     that has a name, unless the name looks like a secret; for other arguments only the type and
    ///     the length are recorded.
    ///   - actor: The actor, held weakly; it need not be registered.
    ///   - options: The mode in which the closure runs.
    ///   - body: The work, in one access to the actor; an error that it throws is shown.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult @_disfavoredOverload
    public static func action<
        Object: Actor, each Argument: Decodable & SendableMetatype, Result
    >(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        of actor: @autoclosure () -> Object, run options: RunOptions = [],
        _ body: @escaping @Sendable (isolated Object, repeat each Argument) throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.add(
            run: options, Action.make(name: name(), arguments: names(), of: actor(), body))
        #else
        .nothing
        #endif
    }

    /// Offers a closure without arguments that is isolated to an actor as a command.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - actor: The actor, held weakly; it need not be registered.
    ///   - options: The mode in which the closure runs.
    ///   - body: The work, in one access to the actor; an error that it throws is shown.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult @_disfavoredOverload
    public static func action<Object: Actor, Result>(
        _ name: @autoclosure () -> String, of actor: @autoclosure () -> Object,
        run options: RunOptions = [],
        _ body: @escaping @Sendable (isolated Object) throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.add(
            run: options,
            Action.make(name: name(), arguments: [], of: actor()) {
                (actor: isolated Object) throws -> Result in try body(actor)
            })
        #else
        .nothing
        #endif
    }

    /// Offers an asynchronous closure that is isolated to an actor as a command:
    /// `Telltale.action("bank.refresh", of: bank) { try await $0.refresh($1) }`.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - names: The names of the arguments, in order. A call is recorded with the value of each argument
    ///     that has a name, unless the name looks like a secret; for other arguments only the type and
    ///     the length are recorded.
    ///   - actor: The actor, held weakly; it need not be registered.
    ///   - options: The mode in which the closure runs.
    ///   - body: The work; the code between its suspension points runs on the actor. Its task is cancelled
    ///     at the client's deadline.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult @_disfavoredOverload
    public static func action<
        Object: Actor, each Argument: Decodable & SendableMetatype, Result
    >(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        of actor: @autoclosure () -> Object, run options: RunOptions = [],
        _ body:
            @escaping @Sendable (isolated Object, repeat each Argument) async throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.add(
            run: options, Action.makeAsync(name: name(), arguments: names(), of: actor(), body))
        #else
        .nothing
        #endif
    }

    /// Offers an asynchronous closure without arguments that is isolated to an actor as a command.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - actor: The actor, held weakly; it need not be registered.
    ///   - options: The mode in which the closure runs.
    ///   - body: The work; the code between its suspension points runs on the actor. Its task is cancelled
    ///     at the client's deadline.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult @_disfavoredOverload
    public static func action<Object: Actor, Result>(
        _ name: @autoclosure () -> String, of actor: @autoclosure () -> Object,
        run options: RunOptions = [],
        _ body: @escaping @Sendable (isolated Object) async throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.add(
            run: options,
            Action.makeAsync(name: name(), arguments: [], of: actor()) {
                (actor: isolated Object) async throws -> Result in try await body(actor)
            })
        #else
        .nothing
        #endif
    }

    /// Offers an asynchronous method of an actor as a command:
    /// `Telltale.action("bank.refresh", of: bank, Bank.refresh)`.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - names: The names of the arguments, in order. A call is recorded with the value of each argument
    ///     that has a name, unless the name looks like a secret; for other arguments only the type and
    ///     the length are recorded.
    ///   - actor: The actor, held weakly; it need not be registered.
    ///   - options: The mode in which the closure runs.
    ///   - method: An unapplied method. Its task is cancelled at the client's deadline.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func action<
        Object: Actor, each Argument: Decodable & SendableMetatype, Result
    >(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        of actor: @autoclosure () -> Object, run options: RunOptions = [],
        _ method: @escaping (isolated Object) -> (repeat each Argument) async throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        // An unapplied method captures nothing.
        nonisolated(unsafe) let method = method
        return Registrar.add(
            run: options,
            Action.makeAsync(name: name(), arguments: names(), of: actor()) {
                (actor: isolated Object, arguments: repeat each Argument) async throws -> Result in
                try await method(actor)(repeat each arguments)
            })
        #else
        .nothing
        #endif
    }
}
