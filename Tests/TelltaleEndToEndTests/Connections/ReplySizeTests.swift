import TelltaleTestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct ReplySizeTests {
    @Test("an answer that grows over its bound is cut, and that is said, the same each time")
    func cut() throws {
        let host = try TestHost(["terse"])
        // A queue shows its label only after calibration.
        try host.waitUntilLearnt()
        try host.perform("plant 20000")
        try host.perform("grove")
        let asker = try Asker(host)
        var cut = 0, whole = 0
        for limit in stride(from: 20, through: 400, by: 20) {
            var answers: Set<String> = []
            for _ in 0..<2 {
                let answer = try asker.ask("show", #"{"path":"grove","limit":\#(limit)}"#)
                // Its queue runs the reading, on any worker.
                answers.insert(answer.replacing(/on thread \d+/, with: "on a thread"))
            }
            let answer = try #require(answers.first)
            #expect(answers.count == 1, "\(limit): \(answers.map(\.utf8.count))")
            #expect(answer.contains("result") && answer.utf8.count < 65_536, "\(limit)")
            if answer.contains(#""reason":"bytes""#) { cut += 1 } else { whole += 1 }
        }
        #expect(cut > 0 && whole > 0, "\(cut) cut, \(whole) whole")
    }
}
