#if TELLTALE_COMPILED
/// `alive`: whether the service gets on, for a probe that asks again and again.
package enum AliveCommand: Command {
    package typealias Parameters = StuckCommand.Parameters
    package typealias Answer = StuckAnswer

    package static let description = CommandDescription(
        "alive [--after TIME] [--strict]", "liveness probe: exits with 7 if the service is stuck",
        detail: """
            Answers in some 50 ms, and within a second on a machine that has no core for it, by the
            kernel's age of each wait and by what was seen before: deadlocks, and what has stood still for 30 s.
            --after TIME   another length than 30 s
            --strict       a long wait that something may still end counts too
            """)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        Parameters(
            afterSeconds: try arguments.time("--after"), strict: arguments.flag("--strict"),
            probe: true)
    }
}
#endif
