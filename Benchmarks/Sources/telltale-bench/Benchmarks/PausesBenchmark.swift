import TelltaleProtocol
import TelltaleSystem

/// The effect of a capture on the captured threads.
struct PausesBenchmark: Benchmark {
    let name = "pauses"
    let summary = """
        how long two threads that run are held while all stacks are taken, and how many calls of \
        eight threads that wait are ended by it
        """

    func run(_ effort: Effort) throws -> [Measurement] {
        var shape = HostShape(\.spinning, 2)
        shape.polling = 8
        let host = try HostProcess(shape)
        let agent = try LineConnection(to: host)
        let request = LineConnection.request("stack", "{}")
        var all = Series()
        var tails = Series()
        for _ in 0..<5 {
            var some = Series()
            for _ in 0..<effort.rounds(200) {
                let answer: StackAnswer = try agent.answer(to: request)
                // Without a running thread none was stopped.
                guard answer.interrupted > 0 else { continue }
                let hold = answer.longestHoldNanoseconds
                some.add(Double(hold) * 1e-9)
                all.add(Double(hold) * 1e-9)
            }
            guard some.count > 0 else {
                throw BenchmarkFailure("two threads compute without end, and none was seen running")
            }
            tails.add(some.quantile(0.99))
        }
        let ended = LineConnection.request("get", #"{"path":"\#(HostShape.ended)"}"#)
        let answer: PlainAnswer = try agent.answer(to: ended)
        guard
            let count = answer.shown.value.text.flatMap({ Double($0) })
        else {
            throw BenchmarkFailure("the host doesn't say how many calls were ended")
        }
        return [
            Measurement(name: "\(name).running", series: all),
            Measurement(name: "\(name).running-p99", series: tails),
            Measurement(
                name: "\(name).calls-ended", unit: .count, series: Series([count]), bound: 0),
        ]
    }
}
