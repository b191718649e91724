import TelltaleSystem

/// Half-typed lines completed by the built client over 10,000 live objects, as a shell has it done at each
/// press of the tab key: started, connected, answered and ended. A session does less: it is connected.
struct CompletionBenchmark: Benchmark {
    let name = "completion"
    let summary = "the tab key over 10,000 live objects, by the built client from start to end"

    /// The maximum time for nineteen of twenty, in seconds.
    private static let bound = 0.050

    private static let lines: [(name: String, words: [String], expected: String)] = [
        ("command", ["que"], "queues\n"),
        ("member", ["get", "photos.it"], "photos.items\n"),
        ("elements", ["get", "photos.items["], "photos.items[0]\n"),
        ("late-element", ["get", "photos.items[999"], "photos.items[999]\n"),
        ("property", ["get", "photos.items[9999]."], "photos.items[9999].title\n"),
        ("value", ["set", "photos.items[9999].state", "."], ".ready\n"),
        ("queue", ["queue", "com.telltale"], "com.telltale.photos\n"),
        ("type", ["instances", "Photo"], "PhotoHost.Photo\n"),
    ]

    func run(_ effort: Effort) throws -> [Measurement] {
        let host = try HostProcess(HostShape(photos: 10_000))
        let client = try HostProcess.neighbour("telltale")
        var series = [Series](repeating: Series(), count: Self.lines.count)
        // The first of each reads what is then known: that it is, is looked at, and not measured.
        for line in Self.lines { _ = try Self.complete(line, client, host) }
        // Turn by turn, so that whatever else the machine does meets all.
        for _ in 0..<effort.rounds(200) {
            for index in Self.lines.indices {
                series[index].add(try Self.complete(Self.lines[index], client, host))
            }
        }
        return Self.lines.indices.map { index in
            Measurement(
                name: "\(name).\(Self.lines[index].name)", series: series[index],
                tailBound: Self.bound)
        }
    }

    private static func complete(
        _ line: (name: String, words: [String], expected: String), _ client: String,
        _ host: HostProcess
    ) throws -> Duration {
        var said: [UInt8] = []
        var status: Int32 = 0
        let took = try timed {
            let process = try StartedProgram(
                client, ["--candidates", "--", HostProcess.name] + line.words,
                environment: host.clientEnvironment)
            said = process.readToEnd(until: .now.advanced(by: .seconds(10))) ?? []
            status = process.waitUntilExit()
        }
        let text = String(decoding: said, as: UTF8.self)
        guard status == 0, text.hasPrefix(line.expected) || text.contains("\n" + line.expected)
        else {
            throw BenchmarkFailure(
                "\(line.words) gave '\(text.prefix(200))' and \(status), without '\(line.expected)'"
            )
        }
        return took
    }
}
