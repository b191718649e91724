#if TELLTALE_COMPILED
/// `profile`: where the time of the service goes.
package enum ProfileCommand: Command {
    package struct Parameters: JSONCodable {
        /// The length in seconds, 0.1 to 600; nil for 10.
        package var forSeconds: Double?
        /// The number of looks per second, 1 to 1,000; nil for 99.
        package var rate: Int?
        /// The time that the picture shows: `cpu`, `wall` or `offCore`; nil for `cpu`.
        package var time: String?
        /// The label of a queue, or the end of it: only what its items do.
        package var queue: String?
        /// The id of a thread: only what it does.
        package var thread: Int32?
        /// The file the client writes; the agent never opens a path that a client names.
        package var output: String?
        /// The format of that file: `svg`, `pprof`, `folded` or `speedscope`.
        package var format: String?

        package static let usualSeconds = 10.0
        package static let mostSeconds = 600.0
        package static let usualRate = 99
        package static let mostRate = 1000
        package static let formats = ["svg", "pprof", "folded", "speedscope"]
    }

    package typealias Answer = ProfileAnswer

    package static let description = CommandDescription(
        "profile [--for 10s] [--rate 99] [--cpu|--wall|--off-core] [--queue NAME|--thread N] "
            + "[--output FILE] [--format svg|pprof|folded|speedscope]",
        "where the time goes: functions by cpu, waits, a flame graph",
        detail: """
            Looks at the threads of the service at 99 moments a second, and counts where they are.
            --for TIME    how long: 10s without it, at most 10m
            --rate N      looks a second, at most 1000
            --cpu, --wall, --off-core   the time that FILE shows: on a core, all of it, waiting
            --queue NAME, --thread N    only what its items, or that thread, do
            --output FILE, -o FILE      a flame graph, where the client runs; its format by --format, or
                          by the end of FILE: .svg, .pprof, .folded, .json
            """, example: "profile --for 1s", timeout: .seconds(30),
        progress: "looking where the time goes ")

    /// The profile comes on top of the time for its names.
    package static func timeout(of parameters: JSONValue) -> Duration {
        let asked = (try? Parameters(json: parameters))?.forSeconds ?? Parameters.usualSeconds
        return description.timeout + .seconds(min(max(asked, 0), Parameters.mostSeconds))
    }

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        var parameters = Parameters()
        parameters.forSeconds = try arguments.time("--for", within: 0.1...Parameters.mostSeconds)
        parameters.rate = try arguments.count("--rate")
        if let rate = parameters.rate, rate < 1 || rate > Parameters.mostRate {
            throw usage("--rate of profile is 1 to \(Parameters.mostRate)")
        }
        for (option, time) in [("--cpu", "cpu"), ("--wall", "wall"), ("--off-core", "offCore")]
        where arguments.flag(option) == true {
            guard parameters.time == nil else {
                throw usage("only one of --cpu, --wall and --off-core fits")
            }
            parameters.time = time
        }
        parameters.queue = try arguments.option("--queue", needs: "the label of a queue")
        if let text = try arguments.option("--thread", needs: "the id of a thread") {
            guard let id = Int32(text), id > 0 else {
                throw usage("'\(text)' is not the id of a thread; `threads` lists them")
            }
            parameters.thread = id
        }
        parameters.output = try arguments.option("--output", "-o", needs: "a file")
        parameters.format = try arguments.option(
            "--format", needs: "svg, pprof, folded or speedscope")
        if let format = parameters.format, !Parameters.formats.contains(format) {
            throw usage("'\(format)' is not a format: svg, pprof, folded or speedscope")
        }
        try arguments.end()
        return parameters
    }

    // Threads that run are stopped for microseconds.
    package static func isHarmless(_ parameters: Parameters) -> Bool { false }
}
#endif
