#if TELLTALE_COMPILED
/// `stuck`: the parties that don't move, their holders, and their locations.
package enum StuckCommand: Command {
    /// The parameters of `stuck` and of `alive`.
    package struct Parameters: JSONCodable {
        /// The time from which a lack of progress is a finding, in seconds; `nil` for the agent's
        /// own table, with a time for each kind of wait.
        package var afterSeconds: Double?
        /// A long wait that something may still end counts as stuck too.
        package var strict: Bool?
        /// Answers as `alive` does.
        package var probe: Bool?
    }

    package typealias Answer = StuckAnswer

    package static let description = CommandDescription(
        "stuck [--after TIME] [--strict] [--probe]", "what is stuck, who holds it, and where",
        detail: """
            DEADLOCK is a cycle of waits. STUCK has work and has not moved for longer than its kind
            may take (1 to 30 s). WAITS LONG may still be ended by
            something that lives, which is named. It names the queue, its
            head item, the thread that holds it, and where that is. A healthy service is captured
            once; where something seems not to move it takes up to 4 s to be sure.
            --after TIME   how long a wait of any kind may take: 10s; a bare number is in seconds
            --strict       a long wait counts too
            --probe        as `alive`: at once, and only what has stood still for 30 s
            Exit status 7 where something is stuck, 5 where not enough could be captured.
            """, example: "stuck --after 10s", progress: "looking again, to be sure: up to 4 s ")

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        Parameters(
            afterSeconds: try arguments.time("--after"), strict: arguments.flag("--strict"),
            probe: arguments.flag("--probe"))
    }
}
#endif
