// Actions on actors. A closure's `isolated` parameter is lost where a pack behind it is empty
// (swift-6.3.1), so closures without arguments have entry points of their own. All that takes a closure is
// disfavoured: a method's name would be taken for a closure that returns a function.
extension Telltale {
    /// Offers what a closure does on an actor as a command:
    /// `Telltale.action("bank.deposit", of: bank) { $0.deposit($1) }`.
    ///
    /// A method that isn't `async` can't be given by its name alone (`Bank.deposit`): Swift has no
    /// value for one that is still to be isolated (swift-6.3.1: "call to actor-isolated instance
    /// method in a synchronous nonisolated context").
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - names: What the arguments are called, in order. The value of an argument that has a name is
    ///     recorded with a call, unless the name is a secret's; of any other its type and length are.
    ///   - actor: Held weakly; it need not be registered.
    ///   - options: When it runs.
    ///   - body: What it does, in one turn of the actor's; an error that it throws is shown.
    /// - Returns: The token that takes the name back.
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

    /// Offers what a closure without arguments does on an actor as a command.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - actor: Held weakly; it need not be registered.
    ///   - options: When it runs.
    ///   - body: What it does, in one turn of the actor's; an error that it throws is shown.
    /// - Returns: The token that takes the name back.
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

    /// Offers what an asynchronous closure does on an actor as a command:
    /// `Telltale.action("bank.refresh", of: bank) { try await $0.refresh($1) }`.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - names: What the arguments are called, in order. The value of an argument that has a name is
    ///     recorded with a call, unless the name is a secret's; of any other its type and length are.
    ///   - actor: Held weakly; it need not be registered.
    ///   - options: When it runs.
    ///   - body: What it does; what lies between its awaits runs on the actor. Its task is cancelled at
    ///     the client's deadline.
    /// - Returns: The token that takes the name back.
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

    /// Offers what an asynchronous closure without arguments does on an actor as a command.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - actor: Held weakly; it need not be registered.
    ///   - options: When it runs.
    ///   - body: What it does; what lies between its awaits runs on the actor. Its task is cancelled at
    ///     the client's deadline.
    /// - Returns: The token that takes the name back.
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
    ///   - name: How clients name it.
    ///   - names: What the arguments are called, in order. The value of an argument that has a name is
    ///     recorded with a call, unless the name is a secret's; of any other its type and length are.
    ///   - actor: Held weakly; it need not be registered.
    ///   - options: When it runs.
    ///   - method: An unapplied method. Its task is cancelled at the client's deadline.
    /// - Returns: The token that takes the name back.
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
        // A method that isn't applied captures nothing.
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
