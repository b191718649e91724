import TelltaleSystem

/// `stuck` and `alive` of a healthy service against its threads, its tasks and its heap, and the
/// processor time that they cost the service.
struct StuckBenchmark: Benchmark {
    let name = "stuck"
    let summary = """
        `stuck` and `alive` of a healthy service: 10 to 1,000 threads, to 50,000 tasks, to 1 GB of heap; \
        time of each, and the processor time that it costs the service
        """

    private static let shapes: [(name: String, shape: HostShape)] = [
        ("small", shape()), ("threads.100", shape(threads: 100)),
        ("threads.1000", shape(threads: 1000)), ("tasks.1000", shape(tasks: 1000)),
        ("tasks.50000", shape(tasks: 50_000)), ("heap.100M", shape(heap: 100)),
        ("heap.1G", shape(heap: 1000)),
    ]

    private static func shape(threads: Int = 10, tasks: Int = 0, heap: Int = 0) -> HostShape {
        var shape = HostShape(photos: 12)
        shape.parked = threads
        shape.tasks = tasks
        shape.heap = heap
        return shape
    }

    /// One that takes seconds each time is asked at least so often, and no longer than this.
    private static let fewest = 3
    private static let longest = Duration.seconds(8)

    func run(_ effort: Effort) throws -> [Measurement] {
        var measurements: [Measurement] = []
        for (name, shape) in Self.shapes {
            let host = try HostProcess(shape)
            let agent = try LineConnection(to: host)
            // The first question reads the files that have the names.
            try agent.ask(LineConnection.request("stuck", "{}"))
            for command in ["stuck", "alive"] {
                var times = Series()
                let before = try Self.processorTime(of: host)
                let end = MonotonicTime.now.advanced(by: Self.longest)
                for round in 0..<effort.rounds(20) where round < Self.fewest || .now < end {
                    times.add(try agent.time(LineConnection.request(command, "{}")))
                }
                measurements.append(
                    Measurement(
                        name: "\(self.name).\(name).\(command)", series: times))
                var cost = Series()
                cost.add((try Self.processorTime(of: host) - before) / Double(times.count))
                measurements.append(
                    Measurement(
                        name: "\(self.name).\(name).\(command).cost",
                        series: cost))
            }
        }
        return measurements
    }

    /// In seconds, to a clock tick: 10 ms.
    private static func processorTime(of host: HostProcess) throws -> Double {
        guard let stat = ProcessFiles(pid: host.process.pid).stat else {
            throw BenchmarkFailure("the host's processor time can't be read")
        }
        return Double(stat.userTicks + stat.systemTicks) / ProcessFiles.ticksPerSecond
    }
}
