#if TELLTALE_COMPILED
/// `operations`: operation queues and the main run loop.
package enum OperationsCommand: Command {
    package typealias Answer = OperationsAnswer

    package static let description = CommandDescription(
        "operations", "operation queues, dependencies, the main run loop",
        detail: """
            Each operation with its state and what it waits for. The service links
            TelltaleFoundation for it.
            """)

    // The queues are asked by code of the host.
    package static func isHarmless(_ parameters: NoParameters) -> Bool { false }
}
#endif
