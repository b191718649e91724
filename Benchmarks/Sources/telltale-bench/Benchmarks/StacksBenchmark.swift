import TelltaleSystem

/// The stacks of many threads, against the tools that stop the process for them.
struct StacksBenchmark: Benchmark {
    let name = "stacks"
    let summary = """
        the stacks of 10, 100 and 1,000 waiting threads over the socket, against eu-stack and gdb on \
        the same process
        """

    func run(_ effort: Effort) throws -> [Measurement] {
        var results: [Measurement] = []
        for count in [10, 100, 1_000] {
            let host = try HostProcess(HostShape(\.parked, count))
            let agent = try LineConnection(to: host)
            let request = LineConnection.request("stack", #"{"full":true}"#)
            let short = LineConnection.request("stack", "{}")
            // The first one's reads of files are measured by `names`.
            try agent.ask(request)
            var whole = Series()
            var folded = Series()
            for _ in 0..<effort.rounds(20) {
                whole.add(
                    try timed {
                        let bytes = try agent.ask(request)
                        guard bytes > count * 200 else {
                            throw BenchmarkFailure("\(bytes) bytes can't be \(count) stacks")
                        }
                    })
                folded.add(try agent.time(short))
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
                        name: "\(name).\(count).against-\(other.name)",
                        series: whole, baseline: .init(name: other.name, series: times),
                        limit: other.limit))
            }
            results.append(
                Measurement(
                    name: "\(name).\(count).each-by-itself", series: whole,
                    bound: count == 1_000 ? 0.060 : nil))
            results.append(Measurement(name: "\(name).\(count).folded", series: folded))
        }
        return results
    }

    private static func times(
        of program: String, _ arguments: [String], rounds: Int
    ) throws -> Series {
        var times = Series()
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            // Messages of gdb about debug data do not belong to the figures.
            let process = try StartedProgram(
                "/bin/sh", ["-c", #"exec "$0" "$@" 2>/dev/null"#, program] + arguments)
            let bytes = process.readToEnd(until: .now.advanced(by: .seconds(60))) ?? []
            guard bytes.count > 100 else {
                throw BenchmarkFailure(
                    "\(program) shows no stacks; `apt-get install elfutils gdb` installs it")
            }
            times.add(ContinuousClock.now - start)
        }
        return times
    }
}
