import TelltaleSystem

/// The stacks of many threads, against the tools that stop the process for them.
struct StacksBenchmark: Benchmark {
    let name = "stacks"
    let summary = """
        the stacks of 10, 100 and 1,000 waiting threads over the socket, against eu-stack and gdb on \
        the same process
        """

    func run(_ effort: Effort) throws(BenchmarkFailure) -> [Measurement] {
        var results: [Measurement] = []
        for count in [10, 100, 1_000] {
            let host = try HostProcess(HostShape(\.parked, count))
            let agent = try LineConnection(to: host)
            let request = LineConnection.request("stack", #"{"full":true}"#)
            let short = LineConnection.request("stack", "{}")
            // What the first one reads of files is measured by `names`.
            try agent.ask(request)
            var whole = Series()
            var folded = Series()
            for _ in 0..<effort.rounds(20) {
                whole.add(
                    try timed { () throws(BenchmarkFailure) in
                        let bytes = try agent.ask(request)
                        guard bytes > count * 200 else {
                            throw BenchmarkFailure("\(bytes) bytes can't be \(count) stacks")
                        }
                    })
                folded.add(try timed { () throws(BenchmarkFailure) in try agent.ask(short) })
            }
            let pid = "\(host.process.pid)"
            let others: [(name: String, program: String, arguments: [String], limit: Double?)] = [
                // 30 times faster at 100 threads is promised.
                ("eu-stack", "/usr/bin/eu-stack", ["-p", pid], count == 100 ? 1.0 / 30 : nil),
                (
                    "gdb", "/usr/bin/gdb",
                    ["-p", pid, "-batch", "-nx", "-ex", "thread apply all bt"], nil
                ),
            ]
            for other in others {
                let times = try Self.times(
                    of: other.program, other.arguments, rounds: count > 100 ? 1 : 3)
                results.append(
                    Measurement(
                        name: "\(name).\(count).against-\(other.name)", unit: .seconds,
                        series: whole, baseline: .init(name: other.name, series: times),
                        limit: other.limit))
            }
            results.append(
                Measurement(
                    name: "\(name).\(count).each-by-itself", unit: .seconds, series: whole,
                    bound: count == 1_000 ? 0.060 : nil))
            results.append(
                Measurement(name: "\(name).\(count).folded", unit: .seconds, series: folded))
        }
        return results
    }

    private static func times(
        of program: String, _ arguments: [String], rounds: Int
    ) throws(BenchmarkFailure) -> Series {
        var times = Series()
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            do throws(SystemError) {
                // What gdb has to say about debug data is not for whoever reads the figures.
                let process = try StartedProgram(
                    "/bin/sh", ["-c", #"exec "$0" "$@" 2>/dev/null"#, program] + arguments)
                let deadline = MonotonicTime.now.advanced(by: .seconds(60))
                var bytes = 0
                while let more = process.read(until: deadline), !more.isEmpty {
                    bytes += more.count
                }
                guard bytes > 100 else {
                    throw SystemError("\(program): it shows no stacks")
                }
            } catch {
                throw BenchmarkFailure(
                    "\(error); `apt-get install elfutils gdb` installs what is compared with")
            }
            times.add(ContinuousClock.now - start)
        }
        return times
    }
}
