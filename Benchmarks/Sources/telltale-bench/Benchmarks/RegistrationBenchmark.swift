import TelltaleSystem

/// The one-time cost for a service, when it starts.
struct RegistrationBenchmark: Benchmark {
    let name = "registration"
    let summary = """
        `Telltale.start()`, the first registration of a process, each of 1,000 more on queues of \
        their own, each of 1,000 on one that is observed already, and each of 1,000 closures and \
        actions
        """

    private let count = 1000

    func run(_ effort: Effort) throws -> [Measurement] {
        var series = [Series](repeating: Series(), count: 6)
        for _ in 0..<effort.rounds(20) {
            let host = try HostProcess(HostShape(photos: 12, registrations: count))
            let took = host.greeting.split(separator: "\n").last { $0.hasPrefix("took ") } ?? ""
            let times = took.split(separator: " ").dropFirst().compactMap { Double($0) }
            guard times.count == series.count else {
                throw BenchmarkFailure("the host did not say what it took: \(host.greeting)")
            }
            for index in series.indices { series[index].add(times[index] / 1e9) }
        }
        let names = ["start", "first", "each", "observed", "closure", "action"]
        return zip(names, series).map { part, series in
            let isOne = part == "start" || part == "first"
            return Measurement(
                name: "\(name).\(part)", series: series.divided(by: isOne ? 1 : Double(count)))
        }
    }
}
