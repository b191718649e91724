import TelltaleSystem

/// The effect on a host's own clients of an attack on its agent.
struct AttackBenchmark: Benchmark {
    let name = "host.attack"
    let summary = """
        a request to the host's own service while its agent is attacked, against the same attack on \
        an inert echo in an equal host
        """

    /// A tenth of a second or more, so that each round of the steady attack meets some 50 clients.
    private let requestsARound = 10_000

    /// The host's own service is a thread that echoes a line. Both hosts have it and the inert echo;
    /// only one has the agent.
    func run(_ effort: Effort) throws -> [Measurement] {
        let agent = try HostProcess(HostShape(hasService: true))
        let inert = try HostProcess(HostShape(hasService: true), environment: ["TELLTALE": "0"])
        let attacked = [try agent.socket(), inert.path(of: HostShape.inert)]
        let services = [
            try LineExchange(to: agent.path(of: HostShape.service)),
            try LineExchange(to: inert.path(of: HostShape.service)),
        ]
        var measurements: [Measurement] = []
        for pace in Attack.Pace.allCases {
            var requests = [Series(), Series()]
            var tails = requests
            var rates = requests
            for round in 0..<effort.rounds(40) {
                // In pairs, and who comes first changes.
                for side in round % 2 == 0 ? [0, 1] : [1, 0] {
                    let start = ContinuousClock.now
                    let attack = try Attack(on: attacked[side], pace: pace)
                    var series = Series()
                    for _ in 0..<requestsARound {
                        let service = services[side]
                        let time = try timed {
                            try service.ask(Self.line)
                        }
                        series.add(time)
                        requests[side].add(time)
                    }
                    let count = try attack.end()
                    tails[side].add(series.quantile(0.99))
                    rates[side].add(Double(count) / (ContinuousClock.now - start).seconds)
                }
            }
            func measurement(
                _ what: String, _ unit: Measurement.Unit, _ series: [Series], limit: Double? = nil
            ) -> Measurement {
                Measurement(
                    name: "\(name).\(pace).\(what)", unit: unit, series: series[0],
                    baseline: .init(name: "inert echo", series: series[1]), limit: limit)
            }
            measurements += [
                measurement("p50", .seconds, requests, limit: 1.05),
                // One a round: its spread is the columns p10 and p90.
                measurement("p99", .seconds, tails),
                measurement("connections", .perSecond, rates),
            ]
        }
        return measurements
    }

    private static let line = [UInt8](repeating: 0x78, count: 80) + [10]
}
