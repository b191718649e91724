/// A question about cost, and how it is answered.
protocol Benchmark {
    /// The name in the report and in `--filter`: `client.start`.
    var name: String { get }
    var summary: String { get }

    /// Measures each thing for as long as the effort says.
    func run(_ effort: Effort) throws -> [Measurement]
}

/// Why something could not be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The effort spent on each benchmark.
struct Effort {
    /// Multiplies rounds and seconds: 1 is what the published figures are made with.
    var scale: Double

    /// A number of rounds, at least 3, so that there is a middle.
    func rounds(_ full: Int) -> Int { max(3, Int(Double(full) * scale)) }

    /// A length of time, at least half a second, so that a timer of 50 ms fires some times.
    func time(_ full: Duration) -> Duration { max(.milliseconds(500), full * scale) }
}
