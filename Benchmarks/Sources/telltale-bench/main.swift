import TelltaleProtocol
import TelltaleSystem

let arguments: Arguments
do {
    arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
} catch {
    StandardStreams.complain("telltale-bench: \(error)")
    StandardStreams.exit(2)
}

if arguments.wantsHelp {
    try StandardStreams.show(Arguments.help)
    StandardStreams.exit(0)
}

if let shape = arguments.host { Host.run(shape) }

let runner = Runner(
    benchmarks: [
        ClientStartBenchmark(), RoundTripBenchmark(), ArrayReadBenchmark(), PagesBenchmark(),
        SignalBenchmark(), RegistrationBenchmark(), IdleBenchmark(), AsyncCostBenchmark(),
        StacksBenchmark(),
        PausesBenchmark(), NamesBenchmark(), DispatchStateBenchmark(), LargeDumpBenchmark(),
        StuckBenchmark(), AttackBenchmark(), JSONBenchmark(), HoldersBenchmark(), HeapBenchmark(),
        CompletionBenchmark(),
    ],
    arguments: arguments)

if arguments.wantsList {
    for benchmark in runner.chosen {
        try StandardStreams.show("\(benchmark.name)\t\(benchmark.summary)")
    }
    StandardStreams.exit(0)
}
guard !runner.chosen.isEmpty else {
    StandardStreams.complain(
        "telltale-bench: no benchmark has '\(arguments.filter)' in its name; --list shows them")
    StandardStreams.exit(2)
}

StandardStreams.complain(Report.heading(isQuick: arguments.isQuick))
let report = runner.run { StandardStreams.complain("  \($0.name): \($0.summary)") }
if arguments.wantsJSON {
    try StandardStreams.show(report.json(isQuick: arguments.isQuick).serialized(pretty: true))
} else {
    for line in report.lines { try StandardStreams.show(line) }
}
StandardStreams.exit(report.isAllRight ? 0 : 1)
