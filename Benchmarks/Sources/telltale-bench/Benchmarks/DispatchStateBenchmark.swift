/// The cost of reading the state of Dispatch and of Swift's tasks.
struct DispatchStateBenchmark: Benchmark {
    let name = "state"
    let summary = """
        queues found in 500 MB of heap, 100 queues listed, 10,000 waiting items walked, 5,000 tasks \
        listed
        """

    func run(_ effort: Effort) throws -> [Measurement] {
        var crowded = HostShape(\.queues, 500)
        crowded.heap = 500
        var waiting = HostShape(\.items, 10_000)
        waiting.photos = 0
        let questions:
            [(name: String, shape: HostShape, method: String, parameters: String, bound: Double)]
        questions = [
            ("500-queues-in-500-MB", crowded, "queues", #"{"all":true}"#, 0.250),
            ("100-queues", HostShape(\.queues, 100), "queues", "{}", 0.020),
            (
                "10000-items", waiting, "queue",
                #"{"name":"com.telltale.suspended","limit":10000}"#, 0.050
            ),
            ("5000-tasks", HostShape(\.tasks, 5_000), "tasks", "{}", 0.300),
        ]
        var results: [Measurement] = []
        for question in questions {
            let host = try HostProcess(question.shape, timeout: .seconds(60))
            let agent = try LineConnection(to: host)
            let request = LineConnection.request(question.method, question.parameters)
            try agent.ask(request)
            var times = Series()
            for _ in 0..<effort.rounds(20) {
                times.add(try agent.time(request))
            }
            results.append(
                Measurement(
                    name: "\(name).\(question.name)", series: times,
                    bound: question.bound))
        }
        return results
    }
}
