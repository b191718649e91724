#if TELLTALE_COMPILED
/// `doctor`: everything that is wrong with the service, worst first.
package enum DoctorCommand: Command {
    /// The parameters of `doctor`.
    package struct Parameters: JSONCodable {
        /// The time for which the process is watched, in seconds, 0 to 60; `nil` for 2.
        package var forSeconds: Double?
        /// A suspicion counts as a fault too.
        package var strict: Bool?

        /// The time for which it watches, where nothing else is asked for, and the longest, in seconds.
        package static let usualSeconds = 2.0
        package static let mostSeconds = 60.0
    }

    package typealias Answer = DoctorAnswer

    package static let description = CommandDescription(
        "doctor [--for TIME] [--strict]", "what is wrong with the service, worst first",
        detail: """
            Watches the process for 2 s and lists what is wrong: deadlocks and stuck work, waits with
            their other end (pipes, sockets, child processes, file locks), threads that are busy
            without getting anything done, descriptors at their limit, late queues, what grows.
            DEADLOCK, STUCK, BUSY, DESCRIPTORS, DEAF and EXITING are faults. WAITS, LATE and GROWS are
            suspicions: they may be right. OK lists what was judged and has no finding.
            --for TIME   how long to watch: 10s, at most 60s
            --strict     a suspicion counts too
            Exit status 7 where something is faulty, 5 where not enough could be captured.
            """, example: "doctor --for 10s", timeout: .seconds(25),
        progress: "watching the process for 2 s ")

    /// Watching comes on top of the time for everything else.
    package static func timeout(of parameters: JSONValue) -> Duration {
        let asked = (try? Parameters(json: parameters))?.forSeconds ?? 0
        return description.timeout + .seconds(min(max(asked, 0), Parameters.mostSeconds))
    }

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let length = try arguments.time("--for", within: 0.01...Parameters.mostSeconds)
        return Parameters(forSeconds: length, strict: arguments.flag("--strict"))
    }
}
#endif
