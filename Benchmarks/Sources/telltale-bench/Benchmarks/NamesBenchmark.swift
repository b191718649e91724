import TelltaleSystem

/// The cost of names and lines with much debug information.
struct NamesBenchmark: Benchmark {
    let name = "names"
    let summary = """
        stacks with names and lines of threads 60 calls deep in a library with 25 MB of debug \
        information, and whole dumps with them: the first, later ones, and the memory that they took
        """

    func run(_ effort: Effort) throws -> [Measurement] {
        var first = Series()
        var later = Series()
        var memory = Series()
        try measure(
            LineConnection.request("stack", #"{"full":true}"#), atLeast: 16 * 60 * 20, effort,
            &first, &later, &memory)
        // Identical stacks stand once in a dump.
        var firstDump = Series()
        var laterDump = Series()
        try measure(
            LineConnection.request("dump", "{}"), atLeast: 60 * 20, effort, &firstDump, &laterDump,
            &memory)
        return [
            Measurement(name: "\(name).first", series: first, bound: 0.300),
            Measurement(name: "\(name).later", series: later, bound: 0.050),
            Measurement(name: "\(name).dump.first", series: firstDump, bound: 0.300),
            Measurement(name: "\(name).dump.later", series: laterDump, bound: 0.050),
            Measurement(name: "\(name).memory", unit: .bytes, series: memory, bound: 32_000_000),
        ]
    }

    // A fresh host for each first time.
    private func measure(
        _ request: [UInt8], atLeast least: Int, _ effort: Effort, _ first: inout Series,
        _ later: inout Series, _ memory: inout Series
    ) throws {
        let library = try LargeLibrary.path()
        for _ in 0..<effort.rounds(5) {
            let host = try HostProcess(
                HostShape(\.large, 16), environment: [LargeLibrary.variable: library])
            let agent = try LineConnection(to: host)
            let before = try Self.residentBytes(of: host)
            first.add(
                try timed {
                    let bytes = try agent.ask(request)
                    guard bytes > least else {
                        throw BenchmarkFailure("\(bytes) bytes can't be stacks of 60 calls")
                    }
                })
            for _ in 0..<10 {
                later.add(try agent.time(request))
            }
            memory.add(try Self.residentBytes(of: host) - before)
        }
    }

    private static func residentBytes(of host: HostProcess) throws -> Double {
        guard let pages = ProcessFiles(pid: host.process.pid).stat?.residentPages else {
            throw BenchmarkFailure("the host \(host.process.pid) can't be read in /proc")
        }
        return Double(pages * ProcessFiles.pageSize)
    }
}
