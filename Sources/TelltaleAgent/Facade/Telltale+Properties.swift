// Properties that a type computes, which no reading of memory finds.
extension Telltale {
    /// Offers what a closure computes of a registered object as a property of it:
    /// `Telltale.property("total", of: cart) { $0.total }`.
    ///
    /// It is computed on the object's owner, with a deadline, when a client asks for it by its path
    /// (`show cart.total`) or for all of them (`show cart --computed`); dumps and other answers leave it
    /// out. Of an object that has no owner it is computed on a thread of the agent's, as with
    /// `run: .offOwner`, which is for a class that takes its own queue or lock:
    /// `Telltale.property("sum", of: ledger, run: .offOwner) { $0.sum() }`.
    ///
    /// Before its first run on an owner it runs in a copy of the process: a closure that would end the
    /// process there, or wait for the owner that it runs on, is not run here. A read-only agent runs it only
    /// with `run: .inReadOnlyMode`.
    ///
    /// - Parameters:
    ///   - name: How clients name it behind the object's name.
    ///   - object: A registered object; held weakly.
    ///   - options: Where and when it runs.
    ///   - get: Computes it. What it returns is read on the owner too.
    /// - Returns: The token that takes it back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func property<Object: AnyObject, Value>(
        _ name: @autoclosure () -> String, of object: @autoclosure () -> Object,
        run options: RunOptions = [], _ get: @escaping @Sendable (Object) -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        Registrar.property(name(), of: object(), type: Value.self, run: options) { get($0) }
        #else
        .nothing
        #endif
    }

    /// Offers what a key path leads to from a registered object as a property of it:
    /// `Telltale.property("total", of: cart, \.total)`.
    ///
    /// - Parameters:
    ///   - name: How clients name it behind the object's name.
    ///   - object: A registered object; held weakly.
    ///   - options: Where and when it runs.
    ///   - path: Leads to it; what it calls is called on the object's owner.
    /// - Returns: The token that takes it back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func property<Object: AnyObject, Value>(
        _ name: @autoclosure () -> String, of object: @autoclosure () -> Object,
        run options: RunOptions = [], _ path: KeyPath<Object, Value>
    ) -> Registration {
        #if TELLTALE_AGENT
        // Immutable; what it may have captured is used on the owner alone.
        nonisolated(unsafe) let path = path
        return Registrar.property(name(), of: object(), type: Value.self, run: options) {
            $0[keyPath: path]
        }
        #else
        .nothing
        #endif
    }

    /// Offers what a closure computes on the main actor of an object that is registered on it:
    /// `Telltale.property("title", of: wall, on: MainActor.shared) { $0.title }`.
    ///
    /// - Parameters:
    ///   - name: How clients name it behind the object's name.
    ///   - object: A registered object; held weakly.
    ///   - actor: `MainActor.shared`.
    ///   - options: Where and when it runs.
    ///   - get: Computes it, on the main queue.
    /// - Returns: The token that takes it back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func property<Object: AnyObject, Value>(
        _ name: @autoclosure () -> String, of object: @autoclosure () -> Object,
        on actor: MainActor, run options: RunOptions = [],
        _ get: @escaping @MainActor @Sendable (Object) -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        // The owner is the main queue, so this is its thread; the value stays on it.
        let here = unsafeBitCast(get, to: (@Sendable (Object) -> Value).self)
        return Registrar.property(
            name(), of: object(), type: Value.self, owner: .mainActor, run: options
        ) { here($0) }
        #else
        .nothing
        #endif
    }

    /// Offers what a closure computes on a registered actor as a property of it:
    /// `Telltale.property("total", of: bank) { $0.total }`.
    ///
    /// - Parameters:
    ///   - name: How clients name it behind the actor's name.
    ///   - actor: A registered actor; held weakly.
    ///   - options: Where and when it runs.
    ///   - get: Computes it, in a turn of the actor's.
    /// - Returns: The token that takes it back.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func property<Host: Actor, Value>(
        _ name: @autoclosure () -> String, of actor: @autoclosure () -> Host,
        run options: RunOptions = [], _ get: @escaping @Sendable (isolated Host) -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        // It runs on the actor's executor alone: what `assumeIsolated` does, without its trap.
        let here = unsafeBitCast(get, to: (@Sendable (Host) -> Value).self)
        return Registrar.property(name(), of: actor(), type: Value.self, run: options) { here($0) }
        #else
        .nothing
        #endif
    }
}
