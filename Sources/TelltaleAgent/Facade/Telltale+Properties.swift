// Computed properties, which cannot be read from memory.
extension Telltale {
    /// Offers the result of a closure as a property of a registered object:
    /// `Telltale.property("total", of: cart) { $0.total }`.
    ///
    /// The closure runs on the object's owner, with a deadline, when a client asks for the property by its
    /// path (`show cart.total`) or for all computed properties (`show cart --computed`); dumps and other
    /// answers leave it out. For an object without an owner it runs on an agent thread, as with
    /// `run: .offOwner`, which is for a class that takes its own queue or lock:
    /// `Telltale.property("sum", of: ledger, run: .offOwner) { $0.sum() }`.
    ///
    /// Before its first run on an owner the closure runs in a copy of the process. A closure that ends the
    /// copy, or that waits for the owner that it runs on, is not run in the service. A read-only agent runs
    /// it only with `run: .inReadOnlyMode`.
    ///
    /// - Parameters:
    ///   - name: The property's name, which follows the object's name.
    ///   - object: A registered object; held weakly.
    ///   - options: The thread and the mode in which the closure runs.
    ///   - get: Computes the value, which is read on the owner too.
    /// - Returns: The token that withdraws the property.
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

    /// Offers the value at a key path as a property of a registered object:
    /// `Telltale.property("total", of: cart, \.total)`.
    ///
    /// - Parameters:
    ///   - name: The property's name, which follows the object's name.
    ///   - object: A registered object; held weakly.
    ///   - options: The thread and the mode in which the closure runs.
    ///   - path: The key path; getters that it calls run on the object's owner.
    /// - Returns: The token that withdraws the property.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func property<Object: AnyObject, Value>(
        _ name: @autoclosure () -> String, of object: @autoclosure () -> Object,
        run options: RunOptions = [], _ path: KeyPath<Object, Value>
    ) -> Registration {
        #if TELLTALE_AGENT
        // The key path is immutable, and values that it may have captured are used on the owner alone.
        nonisolated(unsafe) let path = path
        return Registrar.property(name(), of: object(), type: Value.self, run: options) {
            $0[keyPath: path]
        }
        #else
        .nothing
        #endif
    }

    /// Offers the result of a closure on the main actor as a property of an object that is registered
    /// there: `Telltale.property("title", of: wall, on: MainActor.shared) { $0.title }`.
    ///
    /// - Parameters:
    ///   - name: The property's name, which follows the object's name.
    ///   - object: A registered object; held weakly.
    ///   - actor: `MainActor.shared`.
    ///   - options: The thread and the mode in which the closure runs.
    ///   - get: Computes the value, on the main queue.
    /// - Returns: The token that withdraws the property.
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
        // The owner is the main queue, so this closure runs on the main thread and the value stays there.
        let here = unsafeBitCast(get, to: (@Sendable (Object) -> Value).self)
        return Registrar.property(
            name(), of: object(), type: Value.self, owner: .mainActor, run: options
        ) { here($0) }
        #else
        .nothing
        #endif
    }

    /// Offers the result of a closure on a registered actor as a property of the actor:
    /// `Telltale.property("total", of: bank) { $0.total }`.
    ///
    /// - Parameters:
    ///   - name: The property's name, which follows the actor's name.
    ///   - actor: A registered actor; held weakly.
    ///   - options: The thread and the mode in which the closure runs.
    ///   - get: Computes the value, isolated to the actor.
    /// - Returns: The token that withdraws the property.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func property<Host: Actor, Value>(
        _ name: @autoclosure () -> String, of actor: @autoclosure () -> Host,
        run options: RunOptions = [], _ get: @escaping @Sendable (isolated Host) -> Value
    ) -> Registration {
        #if TELLTALE_AGENT
        // The closure runs on the actor's executor only; this is `assumeIsolated` without its trap.
        let here = unsafeBitCast(get, to: (@Sendable (Host) -> Value).self)
        return Registrar.property(name(), of: actor(), type: Value.self, run: options) { here($0) }
        #else
        .nothing
        #endif
    }
}
