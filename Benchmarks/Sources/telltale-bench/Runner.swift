/// Runs benchmarks one after another and tells what came out.
struct Runner {
    let benchmarks: [any Benchmark]
    let arguments: Arguments

    /// Those that the command line asks for.
    var chosen: [any Benchmark] {
        benchmarks.filter { arguments.filter.isEmpty || $0.name.contains(arguments.filter) }
    }

    /// Runs what was chosen, and tells of each before it; a benchmark that can't be run is one of
    /// its failures.
    func run(progress: (any Benchmark) -> Void) -> Report {
        var report = Report()
        let effort = Effort(scale: arguments.isQuick ? 0.1 : 1)
        for benchmark in chosen {
            progress(benchmark)
            do {
                report.measurements += try benchmark.run(effort)
            } catch {
                report.failures.append((benchmark.name, "\(error)"))
            }
        }
        return report
    }
}
