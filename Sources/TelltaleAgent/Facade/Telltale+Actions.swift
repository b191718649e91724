public import Dispatch

extension Telltale {
    /// Offers a closure as a command: `call photos.add("title", "url")`.
    ///
    /// The agent decodes the arguments by their types from the client's text. The closure runs on `queue`
    /// with a barrier, and its result is shown as a tree. A closure with an `inout` or variadic parameter
    /// must be wrapped in one without: it crashes the compiler here (swift-6.3.1).
    ///
    /// - Parameters:
    ///   - name: The command's name; it may contain dots.
    ///   - names: The names of the arguments, in order. A call is recorded with the value of each argument
    ///     that has a name, unless the name looks like a secret; for other arguments only the type and
    ///     the length are recorded.
    ///   - queue: The queue on which the closure runs.
    ///   - options: The thread and the mode in which the closure runs.
    ///   - body: The work; an error that it throws is shown.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func action<each Argument: Decodable & SendableMetatype, Result>(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        on queue: @autoclosure () -> DispatchQueue,
        run options: RunOptions = [],
        _ body: @escaping @Sendable (repeat each Argument) throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.add(
            run: options,
            Action.make(name: name(), arguments: names(), owner: .queue(queue()), body))
        #else
        .nothing
        #endif
    }

    /// Offers an asynchronous closure as a command; the code between its suspension points runs on `queue`.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - names: The names of the arguments, in order. A call is recorded with the value of each argument
    ///     that has a name, unless the name looks like a secret; for other arguments only the type and
    ///     the length are recorded.
    ///   - queue: The queue on which the closure runs.
    ///   - options: The thread and the mode in which the closure runs.
    ///   - body: The work; its task is cancelled at the client's deadline.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func action<each Argument: Decodable & SendableMetatype, Result>(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        on queue: @autoclosure () -> DispatchQueue,
        run options: RunOptions = [],
        _ body: @escaping @Sendable (repeat each Argument) async throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.add(
            run: options,
            Action.makeAsync(name: name(), arguments: names(), owner: .queue(queue()), body))
        #else
        .nothing
        #endif
    }

    /// Offers a closure that is isolated to the main actor as a command.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - names: The names of the arguments, in order. A call is recorded with the value of each argument
    ///     that has a name, unless the name looks like a secret; for other arguments only the type and
    ///     the length are recorded.
    ///   - actor: `MainActor.shared`.
    ///   - options: The thread and the mode in which the closure runs.
    ///   - body: The work, run on the main queue.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func action<each Argument: Decodable & Sendable, Result: Sendable>(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        on actor: MainActor, run options: RunOptions = [],
        _ body: @escaping @MainActor @Sendable (repeat each Argument) throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.add(
            run: options,
            Action.make(
                name: name(), arguments: names(), owner: .mainActor
            ) { (arguments: repeat each Argument) throws -> Result in
                // The action's owner is the main queue, so this closure runs on the main thread.
                try MainActor.assumeIsolated { try body(repeat each arguments) }
            })
        #else
        .nothing
        #endif
    }

    /// Offers an asynchronous closure without an owner as a command; the closure hops to its actors itself.
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - names: The names of the arguments, in order. A call is recorded with the value of each argument
    ///     that has a name, unless the name looks like a secret; for other arguments only the type and
    ///     the length are recorded.
    ///   - options: The thread and the mode in which the closure runs.
    ///   - body: The work. It starts on an agent thread, and its task is cancelled at the client's
    ///     deadline.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func action<each Argument: Decodable & SendableMetatype, Result>(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        run options: RunOptions = [],
        _ body: @escaping @Sendable (repeat each Argument) async throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.add(
            run: options,
            Action.makeAsync(name: name(), arguments: names(), owner: .none, body))
        #else
        .nothing
        #endif
    }

    /// Offers a method of a registered object as a command, on that object's owner:
    /// `Telltale.action("photos.remove", of: photoManager, PhotoManager.remove)`.
    ///
    /// The registration is refused, with a message, if the object is not registered, or if it has no owner
    /// and `run: .offOwner` is missing. For a method of the main actor, use
    /// ``action(_:arguments:on:run:_:)`` with `MainActor.shared` and a closure instead: a reference to a
    /// method silently loses its actor (swift-6.3.1).
    ///
    /// - Parameters:
    ///   - name: The name that clients use.
    ///   - names: The names of the arguments, in order. A call is recorded with the value of each argument
    ///     that has a name, unless the name looks like a secret; for other arguments only the type and
    ///     the length are recorded.
    ///   - object: A registered object; held weakly.
    ///   - options: The thread and the mode in which the closure runs.
    ///   - method: An unapplied method.
    /// - Returns: The token that withdraws the name.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func action<
        Object: AnyObject, each Argument: Decodable & SendableMetatype, Result
    >(
        _ name: @autoclosure () -> String, arguments names: @autoclosure () -> [String] = [],
        of object: @autoclosure () -> Object, run options: RunOptions = [],
        _ method: @escaping (Object) -> (repeat each Argument) throws -> Result
    ) -> Registration {
        #if TELLTALE_AGENT
        // An unapplied method captures nothing. A `@Sendable` parameter would warn every caller in Swift 5
        // mode.
        nonisolated(unsafe) let method = method
        let object = object()
        let name = name()
        guard let owner = Registrar.owner(of: object, for: name, run: options) else {
            return Registration(identifier: 0)
        }
        let weak = Weak(object)
        return Registrar.add(
            run: options,
            Action.make(
                name: name, arguments: names(), owner: owner, of: object
            ) { (arguments: repeat each Argument) throws -> Result in
                guard let object = weak.object else { throw ObjectGone(name: name) }
                return try method(object)(repeat each arguments)
            })
        #else
        .nothing
        #endif
    }
}

#if TELLTALE_AGENT
/// The object of an action has been freed.
struct ObjectGone: Error, CustomStringConvertible {
    let name: String
    var description: String { "the object of \(name) was deallocated" }
}
#endif
