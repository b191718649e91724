import TelltaleProtocol
import TelltaleSystem

/// The codec on an answer as large as a wall of photos.
struct JSONBenchmark: Benchmark {
    let name = "json"
    let summary = "an answer of 10,000 photos, written and read, against Foundation"

    /// One thing that both do; false when what came out is wrong.
    private struct Step {
        var name: String
        var ours: () throws -> Bool
        var theirs: () throws -> Bool
    }

    func run(_ effort: Effort) throws -> [Measurement] {
        let tree = MirrorWalk().tree(of: PhotoHost(photos: 10_000).items)
        let answer = ValueAnswer(
            path: "photos.items", value: tree, owner: "none", read: "in place")
        let bytes = try answer.json().serializedBytes()
        return try steps(answer, bytes).map { step in
            try measure(step, bytes: bytes.count, rounds: effort.rounds(20))
        }
    }

    private func steps(_ answer: ValueAnswer, _ bytes: [UInt8]) throws -> [Step] {
        let plain = try FoundationJSON.decode(bytes)
        return [
            Step(
                name: "encode",
                ours: { try answer.json().serializedBytes().count == bytes.count },
                theirs: { try FoundationJSON.encode(plain) > bytes.count / 2 }),
            Step(
                name: "parse",
                ours: { try JSONParser.parse(bytes, limits: .answer)["path"] != nil },
                theirs: { try FoundationJSON.parse(bytes) }),
            Step(
                name: "decode",
                ours: {
                    let value = try JSONParser.parse(bytes, limits: .answer)
                    return try ValueAnswer(json: value) == answer
                }, theirs: { try FoundationJSON.decode(bytes) == plain }),
        ]
    }

    private func measure(_ step: Step, bytes: Int, rounds: Int) throws -> Measurement {
        var ours = Series()
        var theirs = Series()
        for _ in 0..<rounds {
            ours.add(Double(bytes) / (try Self.time(step.name, step.ours)).seconds)
            theirs.add(Double(bytes) / (try Self.time(step.name, step.theirs)).seconds)
        }
        return Measurement(
            name: "\(name).\(step.name)", unit: .bytesPerSecond, series: ours,
            baseline: .init(name: "Foundation", series: theirs))
    }

    private static func time(_ name: String, _ body: () throws -> Bool) throws -> Duration {
        try timed {
            guard try body() else {
                throw BenchmarkFailure("\(name) did not give what went in")
            }
        }
    }
}
