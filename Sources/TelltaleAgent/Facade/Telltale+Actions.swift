public import Dispatch

extension Telltale {
    /// Offers a closure as a command: `call photos.add("title", "url")`.
    ///
    /// Its arguments are decoded by their types from what the client types. It runs on `queue` with
    /// a barrier, and what it returns is shown as a tree. A closure with an `inout` or variadic
    /// parameter must be wrapped in one without: it crashes the compiler here (swift-6.3.1).
    ///
    /// - Parameters:
    ///   - name: How clients name it; dots are welcome.
    ///   - names: What the arguments are called, in order. The value of an argument that has a name is
    ///     recorded with a call, unless the name is a secret's; of any other its type and length are.
    ///   - queue: Where it runs.
    ///   - options: Where and when it runs.
    ///   - body: What it does; an error that it throws is shown.
    /// - Returns: The token that takes the name back.
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

    /// Offers an asynchronous closure as a command; what lies between its awaits runs on `queue`.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - names: What the arguments are called, in order. The value of an argument that has a name is
    ///     recorded with a call, unless the name is a secret's; of any other its type and length are.
    ///   - queue: Where it runs.
    ///   - options: Where and when it runs.
    ///   - body: What it does; its task is cancelled at the client's deadline.
    /// - Returns: The token that takes the name back.
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

    /// Offers a closure of the main actor as a command.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - names: What the arguments are called, in order. The value of an argument that has a name is
    ///     recorded with a call, unless the name is a secret's; of any other its type and length are.
    ///   - actor: `MainActor.shared`.
    ///   - options: Where and when it runs.
    ///   - body: What it does, on the main queue.
    /// - Returns: The token that takes the name back.
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
                // The action's owner is the main queue, so this is its thread.
                try MainActor.assumeIsolated { try body(repeat each arguments) }
            })
        #else
        .nothing
        #endif
    }

    /// Offers an asynchronous closure as a command that needs no owner: it hops to its actors itself.
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - names: What the arguments are called, in order. The value of an argument that has a name is
    ///     recorded with a call, unless the name is a secret's; of any other its type and length are.
    ///   - options: Where and when it runs.
    ///   - body: What it does; it starts on a thread of the agent's, and its task is cancelled at the
    ///     client's deadline.
    /// - Returns: The token that takes the name back.
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
    /// It is refused, and said so, for an object that is not registered, or has no owner and is not
    /// called with `run: .offOwner`. A method of
    /// the main actor takes ``action(_:arguments:on:run:_:)`` with `MainActor.shared` and a closure instead: a
    /// reference to a method silently loses its actor (swift-6.3.1).
    ///
    /// - Parameters:
    ///   - name: How clients name it.
    ///   - names: What the arguments are called, in order. The value of an argument that has a name is
    ///     recorded with a call, unless the name is a secret's; of any other its type and length are.
    ///   - object: A registered object; held weakly.
    ///   - options: Where and when it runs.
    ///   - method: An unapplied method.
    /// - Returns: The token that takes the name back.
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
        // A method that isn't applied captures nothing. As a parameter that is @Sendable it gives every
        // caller in Swift 5 mode a warning.
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
