import TelltaleSystem

/// From SIGUSR1 to the last line of the dump, on the reader's side of a pipe.
struct SignalBenchmark: Benchmark {
    let name = "signal.dump"
    let summary = "from SIGUSR1 to the first and to the last line of a dump of 12 photos"

    func run(_ effort: Effort) throws -> [Measurement] {
        var first = Series()
        var last = Series()
        // A host for each dump: one that has dumped a moment ago waits before it dumps again.
        for _ in 0..<effort.rounds(20) {
            let host = try HostProcess(HostShape(photos: 12))
            let start = ContinuousClock.now
            host.process.send(StartedProgram.userDefined1)
            let begun = try host.waitFor(" BEGIN ", within: .seconds(10))
            first.add(ContinuousClock.now - start)
            if !begun.contains(" END ") { try host.waitFor(" END ", within: .seconds(40)) }
            last.add(ContinuousClock.now - start)
        }
        return [
            Measurement(name: "\(name).first-line", series: first),
            Measurement(name: "\(name).last-line", series: last),
        ]
    }
}
