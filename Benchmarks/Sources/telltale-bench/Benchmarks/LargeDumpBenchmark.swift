import TelltaleSystem

/// A dump and `stuck` in a large service: 500 MB of heap, 1,000 threads, queues and tasks. A
/// healthy one, whose waits a timer would end, and one whose waits can't end.
struct LargeDumpBenchmark: Benchmark {
    let name = "dump.large"
    let summary = """
        from SIGUSR1 to the last line of a dump, and `stuck`, with 500 MB of heap, 1,000 threads, 100 \
        queues and 1,000 tasks, whose waits a timer would end, or nobody (lost)
        """

    func run(_ effort: Effort) throws -> [Measurement] {
        try measured(name, isLost: false, effort) + measured("\(name).lost", isLost: true, effort)
    }

    private func measured(
        _ name: String, isLost: Bool, _ effort: Effort
    ) throws -> [Measurement] {
        var shape = HostShape(photos: 12)
        shape.heap = 500
        shape.parked = 1_000
        shape.queues = 100
        shape.tasks = 1_000
        shape.isLost = isLost
        var first = Series()
        var later = Series()
        var stuck = Series()
        for _ in 0..<effort.rounds(5) {
            // The first one of a host reads the files that have the names.
            let host = try HostProcess(shape)
            first.add(try Self.dump(of: host))
            let agent = try LineConnection(to: host)
            for _ in 0..<3 {
                stuck.add(try agent.time(LineConnection.request("stuck", "{}")))
            }
            // One that has dumped a moment ago waits before it dumps again.
            NativeThread.sleep(.seconds(2))
            later.add(try Self.dump(of: host))
        }
        return [
            Measurement(name: "\(name).first", series: first),
            Measurement(name: "\(name).later", series: later),
            Measurement(name: "\(name).stuck", series: stuck),
        ]
    }

    private static func dump(of host: HostProcess) throws -> Duration {
        let start = ContinuousClock.now
        host.process.send(StartedProgram.userDefined1)
        try host.waitFor(" END ", within: .seconds(60))
        return ContinuousClock.now - start
    }
}
