import TelltaleSystem

/// What names and lines cost where there is much debug information.
struct NamesBenchmark: Benchmark {
    let name = "names"
    let summary = """
        stacks with names and lines of threads 60 calls deep in a library with 25 MB of debug \
        information: the first, later ones, and the memory that they took
        """

    func run(_ effort: Effort) throws(BenchmarkFailure) -> [Measurement] {
        let library = try LargeLibrary.path()
        var first = Series()
        var later = Series()
        var memory = Series()
        let request = LineConnection.request("stack", #"{"full":true}"#)
        for _ in 0..<effort.rounds(5) {
            let host = try HostProcess(
                HostShape(\.large, 16), environment: [LargeLibrary.variable: library])
            let agent = try LineConnection(to: host)
            let before = try Self.residentBytes(of: host)
            first.add(
                try timed { () throws(BenchmarkFailure) in
                    let bytes = try agent.ask(request)
                    guard bytes > 16 * 60 * 20 else {
                        throw BenchmarkFailure("\(bytes) bytes can't be 16 stacks of 60 calls")
                    }
                })
            for _ in 0..<10 {
                later.add(try timed { () throws(BenchmarkFailure) in try agent.ask(request) })
            }
            memory.add(try Self.residentBytes(of: host) - before)
        }
        return [
            Measurement(name: "\(name).first", unit: .seconds, series: first, bound: 0.300),
            Measurement(name: "\(name).later", unit: .seconds, series: later, bound: 0.050),
            Measurement(name: "\(name).memory", unit: .bytes, series: memory, bound: 32_000_000),
        ]
    }

    private static func residentBytes(of host: HostProcess) throws(BenchmarkFailure) -> Double {
        guard let pages = ProcessFiles(pid: host.process.pid).stat?.residentPages else {
            throw BenchmarkFailure("the host \(host.process.pid) can't be read in /proc")
        }
        return Double(pages * ProcessFiles.pageSize)
    }
}
