/// The options of `telltale-bench`'s command line.
struct Arguments: Equatable {
    static let help = """
        usage: telltale-bench [--json] [--filter TEXT] [--quick] [--list]

        Measures what the agent and the client cost. `make bench` builds it optimised and with the
        agent, and hands on ARGS.

          --json          one JSON document instead of the table
          --filter TEXT   only the benchmarks whose name contains TEXT
          --quick         a tenth of the rounds: to try it, not to publish
          --list          what can be measured
          --help          this text

        Exit status: 0 done, 1 something could not be measured or is over its limit, 2 wrong usage.
        """

    var wantsJSON = false
    var wantsHelp = false
    var wantsList = false
    var isQuick = false
    var filter = ""
    /// Set in the child that plays the host: how it is to be.
    var host: HostShape?

    /// Reads a command line, without the program's name.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--json": wantsJSON = true
            case "--help", "-h": wantsHelp = true
            case "--list": wantsList = true
            case "--quick": isQuick = true
            case "--filter":
                guard let text = rest.popFirst() else {
                    throw BenchmarkFailure("--filter needs a part of a benchmark's name")
                }
                filter = text
            case HostShape.option:
                host = try HostShape(rest.popFirst() ?? "")
            default:
                throw BenchmarkFailure("unknown option '\(option)'; --help lists them")
            }
        }
    }
}
