import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

/// The answers of the grammar page, with every string and number in them replaced by the worst.
///
/// A client renders what any agent sends it, and an agent what any host stores.
@Suite("Hostile answers")
struct HostileAnswerTests {
    private static let strings = [
        "", "\u{1B}[2J", "a\r\nb", "\u{9B}31m", "\u{85}", "\u{202E}gpj.exe", "\u{2066}x\u{2069}",
        "\u{2028}", "\0", "\u{7F}", "\u{E0041}", "\u{FEFF}", "[", "]", "[]", ".", "…", "📷👨‍👩‍👧",
        String(repeating: "e\u{301}", count: 300), String(repeating: "界", count: 200),
    ]
    private static let numbers: [JSONValue] = [
        .integer(0), .integer(-1), .integer(.min), .integer(.max), .unsigned(.max),
        .integer(Int64(Int32.max)), .integer(Int64(Int32.min)), .integer(Int64(UInt32.max)),
        .double(.greatestFiniteMagnitude), .double(-.greatestFiniteMagnitude),
        .double(.leastNonzeroMagnitude),
    ]

    /// The kinds that the page shows no message of.
    private static let others: [any CommandAnswer] =
        SampleAnswers.all + SampleAnswers.found + [
            ChangesAnswer(
                changes: [
                    ChangeRecord(
                        number: 1, path: "a.b", old: "1", new: "2", result: "done",
                        by: Peer(uid: 0, pid: 7, program: "sh"),
                        time: "2026-11-21T03:12:45.118Z")
                ], dropped: 2),
            ActionsAnswer(actions: [
                .init(name: "a", parameters: ["Int"], result: "()", owner: "q", isAsync: true)
            ]),
            QueuesAnswer(queues: [
                filled(.init(label: "q", kind: "serial", qos: "default")) {
                    $0.latencyMicroseconds = 41
                    $0.finding = "none"
                    $0.objects = ["a"]
                }
            ]),
            StatusAnswer(
                name: "n", pid: 1, uptimeSeconds: 2.5, state: "running", threads: 3,
                residentBytes: 4, cpuSeconds: 5.5, slowestQueue: "q", slowestMicroseconds: 6,
                unanswered: ["a"], stoppedSeconds: 0.5, mode: "read-only", problems: ["p"]),
            InfoAnswer(sections: [.init(name: "s", rows: [.init("key", "value")])]),
            DumpAnswer(id: 1, time: "t", lines: ["l"], missing: 1, file: "f"),
            HelpAnswer(lines: ["h"]),
        ]

    static let results: [JSONValue] = {
        let text = (try? RepositoryFile.text(RepositoryFile.grammarPage)) ?? ""
        return others.compactMap { try? $0.result() }
            + text.split(separator: "\n").filter { $0.hasPrefix("< {") }.compactMap { line in
                (try? JSONParser.parse(Array(line.dropFirst(2).utf8)))?["result"]
            }
    }()

    /// The joiner stays within the emoji of these strings, and EveryCodePointTests says where it doesn't.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\n" && scalar != "\u{200D}" && scalar.steersTerminal
    }

    /// The value with one in `share` of its strings and numbers replaced; `kind` decides what is decoded at
    /// all, so it stays.
    private func spoilt(
        _ value: JSONValue, key: String = "", share: Int, _ random: inout SeededGenerator
    ) -> JSONValue {
        guard key != "kind" else { return value }
        let isChosen = Int.random(in: 0..<share, using: &random) == 0
        switch value {
        case .string where isChosen:
            return .string(Self.strings.randomElement(using: &random) ?? "")
        case .integer where isChosen, .double where isChosen:
            return Self.numbers.randomElement(using: &random) ?? .null
        case .array(let elements):
            return .array(elements.map { spoilt($0, share: share, &random) })
        case .object(let members):
            return .object(
                members.map {
                    JSONMember($0.key, spoilt($0.value, key: $0.key, share: share, &random))
                })
        default: return value
        }
    }

    @Test("every kind of answer renders without a trap and without a control of the host's")
    func spoiltAnswers() {
        var random = SeededGenerator(seed: 1)
        var rendered: [String: Int] = [:]
        for result in Self.results {
            for round in 0..<400 {
                // Much at once, and little, so that an answer with many ids of threads is one still.
                let bad = spoilt(result, share: 2 << (round % 6), &random)
                // A number may be out of its field's range; then it is refused and not rendered.
                guard let answer = try? AnyAnswer.read(bad) else {
                    continue
                }
                rendered[answer.kind, default: 0] += 1
                for width in [nil, 80, 20, 1, 0, -1, Int.min, Int.max] {
                    let text = answer.rendered(TextStyle(color: false, width: width))
                    let unsafe = text.unicodeScalars.first { Self.steers($0) }
                    #expect(unsafe == nil, "\(answer.kind): \(bad.serialized())")
                    if answer.kind == "status", width == nil { #expect(!text.contains("\n")) }
                }
            }
        }
        // One of each kind.
        #expect(Set(rendered.keys) == AnyAnswer.kinds)
        #expect(rendered.values.allSatisfy { $0 >= 20 }, "\(rendered)")
    }

    @Test("a failure's sentence and hint can't steer a terminal", arguments: strings)
    func failures(text: String) {
        let failure = CommandFailure(.hostError, text, hint: text)
        let shown = failure.rendered(TextStyle(color: false, width: nil))
        #expect(!shown.unicodeScalars.contains(where: Self.steers))
        #expect(shown.hasPrefix("error: "))
    }
}
