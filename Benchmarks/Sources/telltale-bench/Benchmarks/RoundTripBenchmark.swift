import TelltaleSystem

/// A request and its answer on an open connection.
struct RoundTripBenchmark: Benchmark {
    let name = "round-trip"
    let summary =
        "a request and its answer on an open connection, against an echo of a line; on one core, and where "
        + "the scheduler has them run (free)"

    private static let inTurn = 20

    func run(_ effort: Effort) throws -> [Measurement] {
        // The host's output has no reader: an audit there would wait.
        let host = try HostProcess(HostShape(photos: 12), environment: ["TELLTALE_AUDIT": "off"])
        let agent = try LineConnection(to: host)
        let echo = try EchoServer()
        let mirror = try LineConnection(to: echo.path)
        let requests = [
            ("get", LineConnection.request("get", #"{"path":"photos.items.count"}"#), 3.0),
            (
                "set",
                LineConnection.request("set", #"{"path":"photos.items[0].byteCount","value":"7"}"#),
                3.0
            ),
            ("show-photo", LineConnection.request("show", #"{"path":"photos.items[0]"}"#), 5.0),
            ("show-12", LineConnection.request("show", #"{"path":"photos"}"#), nil),
            ("status", LineConnection.request("status", "{}"), nil),
        ]
        // The word "method" would make the echo of a request look like a notification.
        let line = [UInt8](repeating: 0x78, count: 80) + [10]
        let turns = effort.rounds(2000) / Self.inTurn
        func ask() throws -> (series: [Series], echoes: Series) {
            var series = [Series](repeating: Series(), count: requests.count)
            var echoes = Series()
            // Some of a kind one after another: what comes next is warm, as in a session that asks often.
            for _ in 0..<turns {
                for _ in 0..<Self.inTurn { echoes.add(try mirror.time(line)) }
                for index in requests.indices {
                    let request = requests[index].1
                    for _ in 0..<Self.inTurn { series[index].add(try agent.time(request)) }
                }
            }
            return (series, echoes)
        }
        let free = try ask()
        let together = try CorePlacement.onOneCore([host.process.pid], ask)
        return requests.indices.flatMap { index in
            [
                Measurement(
                    name: "\(name).\(requests[index].0)", series: together.series[index],
                    baseline: .init(name: "echo", series: together.echoes),
                    limit: requests[index].2),
                Measurement(
                    name: "\(name).\(requests[index].0).free", series: free.series[index],
                    baseline: .init(name: "echo", series: free.echoes)),
            ]
        }
    }
}
