#if TELLTALE_COMPILED
/// `stuck`: what doesn't move, who holds it, and where.
package enum StuckCommand: Command {
    package typealias Answer = StuckAnswer

    package static let description = CommandDescription(
        "stuck", "what is stuck, who holds it, and where",
        detail: """
            Looks twice, a moment apart, and up to twice more where something seems not to move,
            so that it takes 0.2 to 5 s. It names the queue, its head item, the thread that holds
            it, and where that is; a cycle is a deadlock, with each party.
            Exit status 7 where something is stuck, so that a liveness probe can use it.
            """)
}
#endif
