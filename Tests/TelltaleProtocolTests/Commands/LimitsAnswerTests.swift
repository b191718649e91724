import Testing

@testable import TelltaleProtocol

@Suite("The table of limits")
struct LimitsAnswerTests {
    private static let answer = LimitsAnswer(limits: [
        LimitsAnswer.Entry(
            "descriptors", by: "RLIMIT_NOFILE", unit: "count", soft: 1_024, hard: 524_288,
            used: 1_000),
        LimitsAnswer.Entry("data", by: "RLIMIT_DATA", used: 84 << 20),
        LimitsAnswer.Entry("core size", by: "RLIMIT_CORE", soft: 0),
        LimitsAnswer.Entry("memory", by: "cgroup memory", gap: "no\u{1B}", note: "n"),
    ])

    @Test("each limit with what is used of it; what is not known has its reason")
    func rendered() {
        #expect(
            Self.answer.rendered() == """
                LIMIT         USED       SOFT       HARD  PERCENT  BY             NOTE
                descriptors  1,000      1,024    524,288    97.7%  RLIMIT_NOFILE  -
                data           84M  unlimited  unlimited        -  RLIMIT_DATA    -
                core size        -         0B  unlimited        -  RLIMIT_CORE    -
                memory           -          -          -        -  cgroup memory  not available: no\\u{1B}; n
                """)
    }

    @Test("only what is nearly used up stands out")
    func near() {
        let lines = Self.answer.rendered(TextStyle(color: true)).split(separator: "\n")
        #expect(lines.map { $0.contains("\u{1B}[31m") } == [false, true, false, false, false])
    }

    @Test("it is written and read as JSON")
    func coded() throws {
        #expect(try LimitsAnswer(result: Self.answer.result()) == Self.answer)
        #expect(Self.answer.limits[0].percent == 97.7 && Self.answer.limits[2].percent == nil)
    }
}
