import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

@Suite("Answers on the wire")
struct AnswerCodingTests {
    @Test("what is written is read again", arguments: SampleAnswers.all.indices)
    func roundTrip(index: Int) throws {
        let answer = SampleAnswers.all[index]
        let line = RPCResponse(id: .integer(1), answer: answer).line
        let read = try AnyAnswer.read(
            RPCResponse(parsing: Array(line.utf8)).result.get())
        #expect(same(read, answer), "\(answer.kind)")
    }

    @Test("every command's answer has a kind of its own, or shares one with another's type")
    func kinds() {
        let kinds = Dictionary(grouping: CommandTable.methods, by: { $0.answerKind })
        let shared = kinds.filter { $0.value.count > 1 }.mapValues {
            $0.map { $0.description.name }.sorted()
        }
        #expect(
            shared == [
                "change": ["commit", "redo", "set", "undo"],
                "control": [
                    "begin", "cancel", "fire", "leave", "resume", "rollback", "signal", "suspend",
                    "watch",
                ],
                "stuck": ["alive", "stuck"],
            ])
    }

    @Test("what an older agent says of queues and of itself is read")
    func older() throws {
        func read<Read: CommandAnswer>(_ text: String) throws -> Read {
            try Read(result: JSONParser.parse(Array(text.utf8)))
        }
        let queues: QueuesAnswer = try read(
            """
            {"kind":"queues","queues":[{"label":"q","kind":"serial","qos":"default",\
            "latencyMicroseconds":41,"objects":["a"]}]}
            """)
        #expect(
            queues
                == QueuesAnswer(queues: [
                    filled(QueuesAnswer.Entry(label: "q", kind: "serial", qos: "default")) {
                        $0.latencyMicroseconds = 41
                        $0.objects = ["a"]
                    }
                ]))
        let status: StatusAnswer = try read(
            """
            {"kind":"status","name":"n","pid":1,"uptimeSeconds":2.5,"state":"running","threads":3,\
            "residentBytes":4,"cpuSeconds":5.5,"unanswered":[],"stoppedSeconds":0.5,\
            "mode":"read-only","problems":[]}
            """)
        #expect(status.stuck == nil && status.oldestSeconds == nil)
    }

    @Test("a verdict of a newer agent is kept, and is no healthy one")
    func newerVerdict() throws {
        var answer = SampleAnswers.healthy
        answer.verdict = StuckAnswer.Verdict(rawValue: "livelock")
        #expect(try StuckAnswer(result: answer.result()) == answer)
        #expect(answer.isStuck && !SampleAnswers.healthy.isStuck)
    }
}
