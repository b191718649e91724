import TelltaleSystem

/// The cost of large lists: the first page of a million objects, and a thousand of twelve fields.
struct PagesBenchmark: Benchmark {
    let name = "read"
    let summary = "the first 100 of 1,000,000 objects, their number, and 1,000 objects of 12 fields"

    func run(_ effort: Effort) throws -> [Measurement] {
        var shape = HostShape(photos: 12)
        shape.objects = 1_000_000
        shape.wide = 1_000
        let host = try HostProcess(shape)
        let agent = try LineConnection(to: host)
        let requests: [(name: String, request: [UInt8], bound: Double?)] = [
            ("page", LineConnection.request("show", #"{"path":"lists.objects"}"#), 0.005),
            (
                "page.last",
                LineConnection.request(
                    "show", #"{"path":"lists.objects[999900..<1000000]"}"#), 0.005
            ),
            ("page.count", LineConnection.request("get", #"{"path":"lists.objects.count"}"#), nil),
            (
                "wide",
                LineConnection.request(
                    "show", #"{"path":"lists.wide","limit":1000}"#), nil
            ),
        ]
        var series = [Series](repeating: Series(), count: requests.count)
        for _ in 0..<effort.rounds(100) {
            for index in requests.indices {
                series[index].add(try agent.time(requests[index].request))
            }
        }
        return requests.indices.map { index in
            Measurement(
                name: "\(name).\(requests[index].name)", series: series[index],
                bound: requests[index].bound)
        }
    }
}
