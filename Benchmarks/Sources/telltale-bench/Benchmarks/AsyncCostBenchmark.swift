import TelltaleSystem

/// The cost of the agent for the host's own use of Dispatch.
struct AsyncCostBenchmark: Benchmark {
    let name = "dispatch.async"
    let summary = "10 million async calls in a host with the agent, against TELLTALE=0"

    private let count = 10_000_000

    func run(_ effort: Effort) throws -> [Measurement] {
        let shape = HostShape(\.asyncs, max(10_000, Int(Double(count) * effort.scale)))
        var with = Series()
        var without = Series()
        // Turn by turn, and each first as often as the other.
        for round in 0..<6 {
            for isFirst in [true, false] {
                if isFirst == round.isMultiple(of: 2) {
                    with.add(try Self.seconds(shape, [:]))
                } else {
                    without.add(try Self.seconds(shape, ["TELLTALE": "0"]))
                }
            }
        }
        let calls = Double(shape.asyncs)
        return [
            Measurement(
                name: "\(name).call", series: with.divided(by: calls),
                baseline: .init(name: "no agent", series: without.divided(by: calls)), limit: 1.05)
        ]
    }

    private static func seconds(
        _ shape: HostShape, _ environment: [String: String]
    ) throws -> Double {
        let host = try HostProcess(shape, environment: environment, timeout: .seconds(120))
        let words = host.greeting.split(whereSeparator: { $0 == " " || $0 == "\n" })
        guard let place = words.firstIndex(of: "submitted"), place + 1 < words.count,
            let nanoseconds = Double(words[place + 1])
        else { throw BenchmarkFailure("the host did not say how long it took: \(host.greeting)") }
        return nanoseconds / 1e9
    }
}
