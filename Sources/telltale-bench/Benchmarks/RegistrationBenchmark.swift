import TelltaleSystem

/// What a service pays once, when it starts.
struct RegistrationBenchmark: Benchmark {
    let name = "registration"
    let summary = """
        `Telltale.start()`, the first registration of a process, each of 1,000 more on queues of \
        their own, and each of 1,000 on one that is observed already
        """

    private let count = 1000

    func run(_ effort: Effort) throws -> [Measurement] {
        var series = [Series](repeating: Series(), count: 4)
        for _ in 0..<effort.rounds(20) {
            let host = try HostProcess(HostShape(photos: 12, registrations: count))
            let took = host.greeting.split(separator: "\n").last { $0.hasPrefix("took ") } ?? ""
            let times = took.split(separator: " ").dropFirst().compactMap { Double($0) }
            guard times.count == series.count else {
                throw BenchmarkFailure("the host did not say what it took: \(host.greeting)")
            }
            for index in series.indices { series[index].add(times[index] / 1e9) }
        }
        let each = series[2].divided(by: Double(count))
        let onOneQueue = series[3].divided(by: Double(count))
        return [
            Measurement(name: "\(name).start", series: series[0]),
            Measurement(name: "\(name).first", series: series[1]),
            Measurement(name: "\(name).each", series: each),
            Measurement(name: "\(name).observed", series: onOneQueue),
        ]
    }
}
