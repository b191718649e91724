import Testing

@testable import TelltaleProtocol

@Suite("Answers on the wire")
struct AnswerCodingTests {
    @Test("what is written is read again", arguments: SampleAnswers.all)
    func roundTrip(answer: Answer) throws {
        let line = RPCResponse(id: .integer(1), result: .success(answer)).line
        guard case .response(let response) = try RPCIncoming.parse(Array(line.utf8)) else {
            Issue.record("no response")
            return
        }
        #expect(try response.result.get() == answer)
    }

    @Test("what an older agent says of queues and of itself is read")
    func older() throws {
        func read(_ text: String) throws -> Answer {
            try JSONValueDecoder.decode(Answer.self, from: JSONParser.parse(Array(text.utf8)))
        }
        let queues = try read(
            """
            {"kind":"queues","queues":[{"label":"q","kind":"serial","qos":"default",\
            "latencyMicroseconds":41,"objects":["a"]}]}
            """)
        #expect(
            queues
                == .queues(
                    QueuesAnswer(queues: [
                        QueuesAnswer.Entry(
                            label: "q", kind: "serial", qos: "default", latencyMicroseconds: 41,
                            finding: nil, objects: ["a"])
                    ])))
        let status = try read(
            """
            {"kind":"status","name":"n","pid":1,"uptimeSeconds":2.5,"state":"running","threads":3,\
            "residentBytes":4,"cpuSeconds":5.5,"unanswered":[],"stoppedSeconds":0.5,\
            "mode":"read-only","problems":[]}
            """)
        guard case .status(let answer) = status else {
            Issue.record("no status")
            return
        }
        #expect(answer.stuck == nil && answer.oldestSeconds == nil)
    }

    @Test("a verdict of a newer agent is kept, and is no healthy one")
    func newerVerdict() throws {
        var answer = SampleAnswers.healthy
        answer.verdict = StuckAnswer.Verdict(rawValue: "livelock")
        let written = try JSONValueEncoder.encode(Answer.stuck(answer))
        #expect(try JSONValueDecoder.decode(Answer.self, from: written) == .stuck(answer))
        #expect(answer.isStuck && !SampleAnswers.healthy.isStuck)
    }
}
