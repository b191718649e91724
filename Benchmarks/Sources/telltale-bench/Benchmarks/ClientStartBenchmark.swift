import TelltaleSystem

/// From the client's start until its first answer stands on its output, against the whole life of a
/// program that does nothing.
struct ClientStartBenchmark: Benchmark {
    let name = "client.start"
    let summary = "`telltale NAME get photos.items.count`, start to answer, against /bin/true"

    func run(_ effort: Effort) throws -> [Measurement] {
        let host = try HostProcess(HostShape(photos: 12))
        let client = try HostProcess.neighbour("telltale")
        var answers = Series()
        var nothings = Series()
        // Turn by turn, so that whatever else the machine does meets both.
        for _ in 0..<effort.rounds(300) {
            nothings.add(try Self.start("/bin/true", [], [:], expecting: ""))
            answers.add(
                try Self.start(
                    client, [HostProcess.name, "get", "photos.items.count"],
                    host.clientEnvironment, expecting: "12\n"))
        }
        return [
            Measurement(
                name: name, series: answers,
                baseline: .init(name: "/bin/true", series: nothings), limit: 2)
        ]
    }

    private static func start(
        _ path: String, _ arguments: [String], _ environment: [String: String],
        expecting expected: String
    ) throws -> Duration {
        let start = ContinuousClock.now
        // Throws if the client is missing: `make bench` builds it.
        let process = try StartedProgram(path, arguments, environment: environment)
        let deadline = MonotonicTime.now.advanced(by: .seconds(10))
        var said: [UInt8] = []
        var time: Duration?
        while let more = process.read(until: deadline), !more.isEmpty {
            said += more
            if time == nil, said.last == UInt8(ascii: "\n") {
                time = ContinuousClock.now - start
            }
        }
        let status = process.waitUntilExit()
        // A command without output is measured to its end.
        let taken = time ?? ContinuousClock.now - start
        guard status == 0, said == Array(expected.utf8) else {
            let text = String(decoding: said, as: UTF8.self)
            throw BenchmarkFailure("\(path) ended with \(status) and said '\(text)'")
        }
        return taken
    }
}
