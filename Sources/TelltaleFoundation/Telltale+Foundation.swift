public import Foundation
public import TelltaleAgent

extension Telltale {
    /// Has values of Foundation's types shown and typed as what they are (`Date`, `URL`, `UUID`, `Data`
    /// and `Decimal`), and the main thread's run loop with the operations.
    ///
    /// ```swift
    /// import TelltaleAgent
    /// import TelltaleFoundation
    ///
    /// Telltale.useFoundation()
    /// Telltale.start()
    /// ```
    ///
    /// Without it they are shown by their fields, as any other type. It may be called more than
    /// once and from any thread, and does nothing where the agent is not compiled in.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    public static func useFoundation() {
        #if TELLTALE_AGENT
        for format in FoundationFormats.all { use(format) }
        for kind in FoundationKinds.all { use(kind) }
        OperationRegistry.use(runLoop: MainRunLoop.read)
        #endif
    }

    /// Shows an operation queue: its operations, what each waits for, and who is cancelled.
    ///
    /// ```swift
    /// Telltale.observe(thumbnails.operations)
    /// ```
    ///
    /// - Parameters:
    ///   - queue: Held weakly; its operations keep it while it has any. A second registration of a
    ///     queue takes the place of the first.
    ///   - name: How it is called; nil for its own name.
    /// - Returns: The token that takes it back.
    /// - Note: Thread safety: from any thread. The queue is read on a thread of the agent's, and an
    ///   operation's own `isReady`, `isExecuting` and the like are called there.
    #if !TELLTALE_AGENT
    @_alwaysEmitIntoClient @inline(__always)
    #endif
    @discardableResult
    public static func observe(
        _ queue: @autoclosure () -> OperationQueue, as name: @autoclosure () -> String? = nil
    ) -> Registration {
        #if TELLTALE_AGENT
        let queue = queue()
        return OperationRegistry.observe(
            ObservedOperationQueue(queue, name: name()),
            key: "\(ObservedOperationQueue.address(of: queue))")
        #else
        .nothing
        #endif
    }
}
